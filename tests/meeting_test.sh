#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ranks that communicate at different places, or one that is missing: a sentence about both places, not a
# hang.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
meeting() { LD_PRELOAD=$TEST_YIELD $TEST_MPIEXEC 3 bin/meeting "$1" >"$folder/out" 2>&1; }
fail() {
    echo "FAILED: $1"
    cat "$folder/out"
    failures=1
}
meeting alike && grep -q "all met" "$folder/out" || fail "ranks at one place do not meet"
# Hydra may lose the last lines before an abort; on a busy machine earlier ones too.
ends_and_says() {  # how, what
    for _ in 1 2 3 4 5; do
        meeting "$1" && return 1
        grep -Eq "$2" "$folder/out" && return 0
        [ -s "$folder/out" ] && grep -q "^echelon:" "$folder/out" && return 1
    done
    return 1
}
ends_and_says apart "echelon: rank . is at agreement 4 \([78]\) at .*meeting.cpp:[0-9]+ in .*, and rank . at agreement 4 \([78]\) at .*meeting.cpp:" ||
    fail "ranks at different places go on, or the sentence does not name both places"
if [ "$TEST_MPI" = mpich ]; then
    ends_and_says away "echelon: rank . waits at agreement 4 .*, and some rank stays away" ||
        fail "ranks go on without one of them, or nothing is said about the rank that stays away"
fi
exit "$failures"
