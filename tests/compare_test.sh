#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The demo's table repeats the measurements, and does not hide a wrong result.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
expect() {  # description, condition as a command
    if ! "${@:2}"; then echo "FAILED: $1"; failures=1; fi
}
result() {  # recipe, median, correct
    echo "{\"collective\": \"reduce\", \"bytes\": 65536, \"ranks\": 4, \"recipe\": \"$1\", \"source\": \"forced\",
           \"median_s\": $2, \"low_s\": $2, \"high_s\": $2, \"correct\": $3}"
}
table() {  # results, joined by commas
    echo "{\"machine\": {}, \"results\": [$1]}" >"$folder/results.json"
    python3 "$TEST_SOURCE/scripts/compare" "$folder/results.json" 2>&1
}

native=$(result native 3e-4 true) slow=$(result ring 9e-4 true) flat=$(result "chain(seg=32K)" 2e-4 true)
leaders=$(result "leaders(sqrt, ring, ring)" 1e-4 true) lanes=$(result "lanes(sqrt, ring, ring)" 5e-5 false)

output=$(table "$native, $slow, $flat, $leaders")
expect "complete and correct results are accepted" test $? -eq 0
expect "the row names the best of each kind" grep -qE \
    '^reduce +64K +300 us +200 us +chain\(seg=32K\) +100 us +leaders\(sqrt, ring, ring\) +3.00 \[3.00 .. 3.00\]$' <<<"$output"

output=$(table "$native, $flat, $leaders, $lanes")
expect "a wrong result fails" test $? -eq 1
expect "a wrong result is named" grep -q "WRONG RESULT: reduce of 65536 bytes on 4 ranks by lanes" <<<"$output"
expect "a wrong result does not win" grep -q "3.00 \[" <<<"$output"

output=$(table "$native, $flat")
expect "nothing to compare fails" test $? -eq 1
expect "nothing to compare is said" grep -q "no call was measured with" <<<"$output"

[ "$failures" -eq 0 ] || echo "$output"
exit "$failures"
