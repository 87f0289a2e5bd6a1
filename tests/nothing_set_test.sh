#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Nothing set, in virtual time: the first calls take what they take natively; nobody decides before the calls have paid for that; and in the end
# there is a gain.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; exit 1; }
for i in $(seq 0 27); do echo "node-$((i % 7))"; done >"$folder/hosts"

# calls, class, then the time through Echelon over native after 20, 200, ... calls
series() {
    "$TEST_SOURCE/scripts/smpirun" -n 28 -platform "$TEST_SOURCE/bench/platforms/$1.xml" -hostfile "$folder/hosts" \
        --cfg=smpi/allreduce:ompi bin/series "$2" 0 "$3" >"$folder/table" 2>"$folder/said" || { cat "$folder/said" >&2; exit 1; }
    awk -F, 'NR > 1 { printf "%.4f ", $4 / $5 }' "$folder/table"
}

read -r first second <<<"$(series fattree 200 allreduce:8)"
[ "$first" = 1.0000 ] || fail "the first 20 calls of 8 bytes took $first times native"
# 200 calls of some microseconds are less than a decision takes: nothing but a few words were exchanged.
awk -v ratio="$second" 'BEGIN { exit !(ratio < 1.03) }' || fail "200 calls of 8 bytes took $second times native"
ECHELON_SUMMARY=text series fattree 200 allreduce:8 >/dev/null
grep -q 'allreduce .* 200 .*built_in  *native' "$folder/table" "$folder/said" || fail "not all of 200 short calls were native: $(cat "$folder/table" "$folder/said")"

read -r first second <<<"$(series infiniband 200 allreduce:65536)"
[ "$first" = 1.0000 ] || fail "the first 20 calls of 64 KiB took $first times native"
awk -v ratio="$second" 'BEGIN { exit !(ratio < 0.9) }' || fail "200 calls of 64 KiB gained nothing: $second times native"

# Where ranks never wait together, rank 0 tells in what it hands out, also on communicators that have none of ours beside them.
rooted() {
    "$TEST_SOURCE/scripts/smpirun" -n 28 -platform "$TEST_SOURCE/bench/platforms/infiniband.xml" -hostfile "$folder/hosts" \
        --cfg=smpi/reduce:ompi bin/rooted "$@" >"$folder/table" 2>"$folder/said" || { cat "$folder/said" >&2; exit 1; }
    awk -F, 'NR > 1 { printf "%.4f ", $2 / $3 }' "$folder/table"
}
for what in sum rows; do
    read -r first _ last <<<"$(rooted 600 65536 $what)"
    [ "$first" = 1.0000 ] || fail "the first 20 rounds of $what took $first times native"
    awk -v ratio="$last" 'BEGIN { exit !(ratio < 0.95) }' || fail "600 rounds of $what gained nothing: $last times native"
done
