#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Nonblocking collectives of programs run the recipes of the blocking ones: many at once, completed in any order,
# while a rank waits in other calls, on communicators that are freed early; with the results of the library.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra -Wno-stringop-overflow "$here/nonblocking.c" -o "$folder/nonblocking" || exit 1
export ECHELON_SUMMARY=json:$folder/summary.json
for recipe in "ring" "leaders(G=2, chain(seg=8K), ring)" "lanes(G=2, ring, ring)" "recursive_doubling"; do
    export ECHELON_ALLREDUCE=$recipe ECHELON_BCAST=binomial ECHELON_ALLGATHER=ring ECHELON_BARRIER=dissemination
    alike "$recipe" 4 "$folder/nonblocking"
    # many_at_once twice with 60 calls in 6 rounds, one beside a message, 20 beside barriers, two on the freed
    # communicator; two calls are blocking.
    served=$(count "$folder/summary.json" allreduce "${recipe%%(*}")
    [ "$served" -eq 745 ] || fail "$recipe: $served calls of 745 ran it"
    for collective in bcast:binomial allgather:ring; do
        served=$(count "$folder/summary.json" "${collective%:*}" "${collective#*:}")
        [ "$served" -eq 2 ] || fail "$recipe: $served calls of 2 ran $collective"
    done
done
# Native phases would wait for other ranks: these calls stay native, with a word.
ECHELON_ALLREDUCE="leaders(G=2, native, ring)" alike "native phases" 4 "$folder/nonblocking"
grep -q "nonblocking calls have no native phases" "$folder/errors" || fail "native phases: no word: $(cat "$folder/errors")"
# A rank that waits in shared memory.
ECHELON_BARRIER=shm ECHELON_ALLREDUCE=ring alike "beside shared memory" 4 "$folder/nonblocking"
# Nothing set.
unset ECHELON_ALLREDUCE ECHELON_BCAST ECHELON_ALLGATHER ECHELON_BARRIER
alike "nothing set" 4 "$folder/nonblocking"
exit "$failures"
