#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A failure on one rank alone is reported and fails the whole run; without one the run passes.
set -u
failures=0
expect() {  # description, condition as a command
    if ! "${@:2}"; then echo "FAILED: $1"; failures=1; fi
}

for rank in 0 2; do
    output=$(HARNESS_FAILS_ON=$rank $TEST_MPIEXEC 3 bin/test_harness 2>&1)
    code=$?
    expect "a failure on rank $rank fails the run" test "$code" -ne 0
    expect "the failure on rank $rank is described" grep -q "as asked" <<<"$output"
done
expect "a rank other than 0 is named" grep -q "\[rank 2\] Harness.fails_where_it_is_asked_to" <<<"$output"

output=$($TEST_MPIEXEC 3 bin/test_harness 2>&1)
expect "a run without failures passes" test $? -eq 0
expect "only rank 0 prints the usual lines" test "$(grep -c '\[  PASSED  \]' <<<"$output")" -eq 1
[ "$failures" -eq 0 ] || echo "$output"
exit "$failures"
