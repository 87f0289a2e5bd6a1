#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Nonblocking collectives of programs run the recipes of the blocking ones: many at once, completed in any order,
# while a rank waits in other calls, on communicators that are freed early; with the results of the library.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra -Wno-stringop-overflow "$here/nonblocking.c" -o "$folder/nonblocking" || exit 1
# Open MPI crashes where a communicator is freed with calls under way (free_under_barrier.c).
program=("$folder/nonblocking") all=759
[ "$TEST_MPI" = openmpi ] || program+=(freed) all=761
export ECHELON_SUMMARY=json:$folder/summary.json
# "thread": a thread of Echelon advances the calls.
for way in "ring" "leaders(G=2, chain(seg=8K), ring)" "lanes(G=2, ring, ring)" "recursive_doubling" "thread ring" "thread leaders(G=2, chain(seg=8K), ring)"; do
    recipe=${way#thread } threads=()
    unset ECHELON_PROGRESS
    [ "$way" = "$recipe" ] || export ECHELON_PROGRESS=thread threads=(threads)
    export ECHELON_ALLREDUCE=$recipe ECHELON_BCAST=binomial ECHELON_ALLGATHER=ring ECHELON_BARRIER=dissemination
    alike "$way" 4 "${program[@]}" ${threads[@]+"${threads[@]}"}
    # many_at_once twice with 60 calls in 6 rounds, 16 between barriers, one beside a message, 20 beside barriers,
    # two on the freed communicator; two calls are blocking.
    served=$(count "$folder/summary.json" allreduce "${recipe%%(*}")
    [ "$served" -eq $all ] || fail "$way: $served calls of $all ran it"
    for collective in bcast:binomial:2 allgather:ring:4; do  # two of these are allgathervs
        IFS=: read -r name algorithm calls <<<"$collective"
        served=$(count "$folder/summary.json" "$name" "$algorithm")
        [ "$served" -eq "$calls" ] || fail "$way: $served calls of $calls ran $collective"
    done
done
# The setting and the program's thread level do not fit: calls advance by the program's own, or stay native.
alike "a thread for one thread" 4 "${program[@]}"
[ "$(grep -c "ECHELON_PROGRESS=thread needs MPI_THREAD_MULTIPLE" "$folder/errors")" -eq 1 ] || fail "a thread for one thread: $(cat "$folder/errors")"
[ "$(count "$folder/summary.json" allreduce leaders)" -eq $all ] || fail "a thread for one thread: calls did not run their recipe"
unset ECHELON_PROGRESS
alike "threads without a thread" 4 "${program[@]}" threads
[ "$(count "$folder/summary.json" allreduce leaders)" -eq 2 ] || fail "threads without a thread: nonblocking calls ran a recipe"
grep -q "ECHELON_PROGRESS=thread" "$folder/summary.json" || fail "threads without a thread: no word: $(cat "$folder/summary.json")"
# Native phases would wait for other ranks: these calls stay native, with a word.
ECHELON_ALLREDUCE="leaders(G=2, native, ring)" alike "native phases" 4 "${program[@]}"
grep -q "nonblocking calls have no native phases" "$folder/errors" || fail "native phases: no word: $(cat "$folder/errors")"
# The choice of a profile.
unset ECHELON_ALLREDUCE
cat >"$folder/profile.json" <<'JSON'
{"echelon_profile": 1, "parameters": {"inside": {"model": "hockney", "alpha": 1e-3, "beta": 1e-9}, "between": {"model": "hockney", "alpha": 1e-3, "beta": 1e-9}},
 "samples": [{"collective": "allreduce", "p": 4, "layout": "1x4", "recipe": "native", "bytes": 12, "seconds": 5e-3},
             {"collective": "allreduce", "p": 4, "layout": "1x4", "recipe": "native", "bytes": 80000, "seconds": 5e-3},
             {"collective": "allreduce", "p": 4, "layout": "1x4", "recipe": "leaders(G=2, binomial, ring)", "bytes": 12, "seconds": 1e-4},
             {"collective": "allreduce", "p": 4, "layout": "1x4", "recipe": "leaders(G=2, binomial, ring)", "bytes": 80000, "seconds": 1e-4}]}
JSON
ECHELON_PROFILE=$folder/profile.json ECHELON_TRIALS=0 alike "a profile" 4 "${program[@]}"
served=$(count "$folder/summary.json" allreduce leaders)
[ "$served" -ge 360 ] || fail "a profile: $served calls ran its recipe"
# A rank that waits in shared memory.
ECHELON_BARRIER=shm ECHELON_ALLREDUCE=ring alike "beside shared memory" 4 "${program[@]}"
# Nothing set.
unset ECHELON_ALLREDUCE ECHELON_BCAST ECHELON_ALLGATHER ECHELON_BARRIER
alike "nothing set" 4 "${program[@]}"
exit "$failures"
