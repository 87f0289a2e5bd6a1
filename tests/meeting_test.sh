#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ranks that talk to each other at different places, or one that stays away: a sentence about both places, not a hang.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
meeting() { LD_PRELOAD=$TEST_YIELD timeout 100 $TEST_MPIEXEC 3 bin/meeting "$1" >"$folder/out" 2>&1; }
fail() {
    echo "FAILED: $1"
    cat "$folder/out"
    failures=1
}
meeting alike && grep -q "all met" "$folder/out" || fail "ranks at one place do not meet"
meeting apart && fail "ranks at different places go on"
grep -Eq "echelon: rank . is at agreement 4 \([78]\) at .*meeting.cpp:[0-9]+ in .*, and rank . at agreement 4 \([78]\) at .*meeting.cpp:" "$folder/out" ||
    fail "the sentence does not name both places"
if [ "$TEST_MPI" = mpich ]; then
    meeting away && fail "ranks go on without one of them"
    grep -Eq "echelon: rank . waits at agreement 4 .*, and some rank stays away" "$folder/out" || fail "nothing is said about the rank that stays away"
fi
exit "$failures"
