#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A user could not find the place of a hang: with ECHELON_WATCHDOG every rank prints once the operation that
# its call waits for, and goes on.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"
cd "$folder" || exit 1
"mpicc.$TEST_MPI" "$here/away.c" -o away || exit 1

# away RECIPE WHAT: rank 2 of 3 stays away until rank 0 has reported its waiting.
away() {
    rm -f come text
    ECHELON_WATCHDOG=1 ECHELON_ALLREDUCE=$1 ours 3 ./away "$folder/come" >text 2>&1 &
    local job=$!
    until grep -q "rank 0: allreduce of 400 bytes" text || ! kill -0 $job 2>/dev/null; do sleep 0.1; done
    touch come
    wait $job || fail "$1: it does not go on: $(cat text)"
    [ "$(grep -c ': right' text)" -eq 3 ] || fail "$1: wrong results: $(cat text)"
    [ "$(grep -c 'rank 0: allreduce of 400 bytes' text)" -eq 1 ] || fail "$1: rank 0 does not say it once: $(cat text)"
    grep -qF "echelon: rank 0: allreduce of 400 bytes by $1 takes more than 1 s; it waits for $2" text || fail "$1: not '$2': $(cat text)"
}
away ring "a message from rank 2 of MPI_COMM_WORLD (132 bytes, in a group of 3 ranks)"
away "leaders(size=2, binomial, binomial)" "a message from rank 2 of MPI_COMM_WORLD (400 bytes, in a group of 2 ranks)"
away "leaders(size=2, binomial, binomial, seg=40)" "a message from rank 2 of MPI_COMM_WORLD (40 bytes, in a group of 2 ranks)"
away "leaders(size=2, native, native)" "MPI_Allreduce in a group of 2 ranks"

# A short wait is not reported.
touch come
text=$(ECHELON_WATCHDOG=1000 ECHELON_ALLREDUCE=ring ours 3 ./away "$folder/come" 2>&1) || fail "it does not run: $text"
grep -q "takes more than" <<<"$text" && fail "nobody was away: $text"
[ $failures -eq 0 ] && echo "passed"
exit $failures
