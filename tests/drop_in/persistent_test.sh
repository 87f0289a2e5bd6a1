#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Persistent collectives run the recipes and have the results of the blocking ones: many at once, started in another
# order on each rank or never, together with messages, on communicators that are freed early, and more than one
# communicator has tags. MPICH 4.0.2 and Open MPI 4.1.4 hang or crash in most of this program by themselves.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra -Wno-stringop-overflow "$here/persistent.c" -o "$folder/persistent" || exit 1
export ECHELON_SUMMARY=json:$folder/summary.json
# right TITLE LIBRARIES RANKS ARGUMENTS...: every result is right.
right() {
    local title=$1 libraries=$2 ranks=$3
    shift 3
    rm -f "$TOLD" "$folder/summary.json"
    started "$libraries" "$ranks" timeout 300 "$folder/persistent" "$@" >"$folder/output" 2>"$folder/errors" || fail "$title ends with an error: $(tail -n 20 "$folder/output" "$folder/errors")"
    ! grep wrong "$TOLD" || fail "$title has wrong results"
}
# served COLLECTIVE RECIPE: all its calls ran the recipe.
served() {
    local calls expected
    calls=$(count "$folder/summary.json" "$1" "$2")
    expected=$(awk -v name="$1" '$1 == name { print $2 }' "$TOLD")
    [ "$calls" -eq "$expected" ] || fail "$1: $calls calls of $expected ran $2"
}

flat="reduce binomial
bcast binomial
barrier dissemination
gather binomial
scatter binomial
allgather ring
alltoall pairwise
reduce_scatter halving
scan chain
exscan recursive_doubling"
while read -r collective recipe; do export "ECHELON_${collective^^}=$recipe"; done <<<"$flat"
for recipe in "ring" "leaders(G=2, chain(seg=8K), ring)" "recursive_doubling"; do
    export ECHELON_ALLREDUCE=$recipe
    for ranks in 4 $([ "$recipe" != ring ] || echo 3); do
        right "$recipe" "$library" "$ranks" freed
        while read -r collective one; do served "$collective" "$one"; done <<<"$flat"
        served allreduce "${recipe%%(*}"
    done
done
# A thread of Echelon advances the calls. They need communicators.
ECHELON_PROGRESS=thread ECHELON_COMMUNICATORS=800 right "a thread" "$library" 4 freed threads
while read -r collective one; do served "$collective" "$one"; done <<<"$flat"
# Recipes that forward blocks whose lengths only their ranks know.
own="gather leaders
scatter leaders
alltoall bruck"
(
    export ECHELON_GATHER="leaders(G=2, binomial, binomial)" ECHELON_SCATTER="leaders(G=2, binomial, linear)" ECHELON_ALLTOALL=bruck
    right "own blocks" "$library" 4 freed
    while read -r collective one; do served "$collective" "$one"; done <<<"$own"
    ECHELON_PROGRESS=thread ECHELON_COMMUNICATORS=800 right "own blocks, a thread" "$library" 3 freed threads
    while read -r collective one; do served "$collective" "$one"; done <<<"$own"
    exit "$failures"
) || failures=1
# Native phases would wait for other ranks: the library's own persistent collective serves.
ECHELON_ALLREDUCE="leaders(G=2, native, ring)" right "native phases" "$library" 4 plain allreduce bcast
served bcast binomial
grep -q "nonblocking calls have no native phases" "$folder/errors" || fail "native phases: no word: $(cat "$folder/errors")"
# No communicator is left for the calls.
ECHELON_COMMUNICATORS=0 right "no communicators" "$library" 4 plain allreduce bcast
grep -q "no communicator" "$folder/summary.json" || fail "no communicators: no word: $(cat "$folder/summary.json")"
ECHELON_COMMUNICATORS=0 right "no communicators, own counts" "$library" 4 plain alltoallv
# A tool in front of Echelon takes MPI_Start past it.
cat >"$folder/tool.c" <<'C'
#include <mpi.h>
int MPI_Start(MPI_Request* request) { return PMPI_Start(request); }
C
"mpicc.$TEST_MPI" -shared -fPIC "$folder/tool.c" -o "$folder/tool.so" || exit 1
right "a tool in front" "$folder/tool.so:$library" 4 plain allreduce bcast
grep -q "MPI_Start" "$folder/summary.json" || fail "a tool in front: no word: $(cat "$folder/summary.json")"
# Fortran, with three ranks: MPICH's own allgather has no result on four.
if command -v "mpif90.$TEST_MPI" >/dev/null; then
    names=-D${TEST_MPI/openmpi/OPEN_MPI}
    for kind in mpif F08; do
        "mpif90.$TEST_MPI" -w -fallow-argument-mismatch -ffree-line-length-none "$names" -D$kind "$here/persistent.F90" -o "$folder/$kind" || exit 1
        native 3 "$folder/$kind" >"$folder/native" || fail "$kind does not run by itself"
        ECHELON_ALLREDUCE=ring ours 3 "$folder/$kind" >"$folder/ours" || fail "$kind ends with an error"
        diff "$folder/native" "$folder/ours" || fail "$kind prints something else"
        for one in "allreduce ring" "allgather ring" "barrier dissemination"; do
            # shellcheck disable=SC2086  # two words
            [ "$(count "$folder/summary.json" $one)" -eq 5 ] || fail "$kind: $one did not run 5 times"
        done
    done
fi
# The class of the API, in a program that is linked with the drop-in library.
"mpicxx.$TEST_MPI" -std=c++17 -DMPICH_SKIP_MPICXX -DOMPI_SKIP_MPICXX -Wall -Wextra "$here/persistent.cpp" -I"$TEST_SOURCE/src/api/include" -I"$TEST_BUILD/include" "$library" -Wl,-rpath,"$TEST_BUILD/lib" -o "$folder/class" || exit 1
ECHELON_ALLREDUCE=ring native 3 "$folder/class" || fail "echelon::Persistent is wrong"
[ "$(count "$folder/summary.json" allreduce ring)" -eq 3 ] || fail "echelon::Persistent did not run its recipe 3 times before its communicator was freed"
# The choice of a profile, before any blocking call.
unset ECHELON_ALLREDUCE
cat >"$folder/profile.json" <<'JSON'
{"echelon_profile": 1, "parameters": {"inside": {"model": "hockney", "alpha": 1e-3, "beta": 1e-9}, "between": {"model": "hockney", "alpha": 1e-3, "beta": 1e-9}},
 "samples": [{"collective": "allreduce", "p": 4, "layout": "1x4", "recipe": "native", "bytes": 12, "seconds": 5e-3},
             {"collective": "allreduce", "p": 4, "layout": "1x4", "recipe": "native", "bytes": 12000, "seconds": 5e-3},
             {"collective": "allreduce", "p": 4, "layout": "1x4", "recipe": "leaders(G=2, binomial, ring)", "bytes": 12, "seconds": 1e-4},
             {"collective": "allreduce", "p": 4, "layout": "1x4", "recipe": "leaders(G=2, binomial, ring)", "bytes": 12000, "seconds": 1e-4}]}
JSON
ECHELON_PROFILE=$folder/profile.json ECHELON_TRIALS=0 right "a profile" "$library" 4 freed
[ "$(count "$folder/summary.json" allreduce leaders)" -gt 50 ] || fail "a profile: only $(count "$folder/summary.json" allreduce leaders) calls ran its recipe"
# Nothing set.
unset "${!ECHELON_@}"
right "nothing set" "$library" 4 plain allreduce bcast
exit "$failures"
