#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs in C, C++, three kinds of Fortran and Python, not recompiled: their output with Echelon in front is
# unchanged, for hierarchical recipes of every shape (each binding by one of them, C by all), and the summary
# shows that these recipes ran.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

flags=()
[ "$TEST_MPI" = openmpi ] && flags=(-DECHELON_CXX_BINDINGS)
"mpicc.$TEST_MPI" -Wall -Wextra "$here/calls.c" -o "$folder/c" || exit 1
"mpicxx.$TEST_MPI" ${flags[@]+"${flags[@]}"} "$here/calls.cpp" -o "$folder/cxx" || exit 1
kinds=(mpif use_mpi f08)
command -v "mpif90.$TEST_MPI" >/dev/null || { echo "not looked at: Fortran, of which there is no compiler here"; kinds=(); }
for binding in ${kinds[@]+"${kinds[@]}"}; do
    "mpif90.$TEST_MPI" -w -fallow-argument-mismatch "$here/calls_$binding.f90" -o "$folder/$binding" || exit 1
done
commands=("$folder/c" "$folder/c thread" "$folder/cxx" ${kinds[@]+"${kinds[@]/#/$folder/}"})
python=$(python_with_mpi)
if [ -n "$python" ]; then commands+=("$python $here/calls.py"); fi

shapes=("leaders(G=3, binomial, leaders(G=2, native, SAME))" "positions(size=2, SAME, SAME)" "lanes(size=2, native, SAME)")
flat="gather binomial
scatter binomial
allgather circulant
alltoall linear(window=2)
reduce_scatter halving
scan chain
exscan recursive_doubling"
ranks=4 turn=0
# Native phases need communicators. Open MPI does not make them at any time for programs with many threads,
# like mpi4py's, unless this is set.
export ECHELON_COMMUNICATORS=800
# shellcheck disable=SC2086  # a command is several words
for command in "${commands[@]}"; do
    name=$(basename "${command##* }")
    native "$ranks" $command >"$folder/plain" || fail "$name does not run by itself: $(cat "$folder/plain")"
    turn=$((turn + 1))
    for shape in "${shapes[@]}"; do
        [ "$name" = c ] || [ "$shape" = "${shapes[turn % ${#shapes[@]}]}" ] || continue
        export ECHELON_ALLREDUCE=${shape//SAME/recursive_doubling} ECHELON_REDUCE=${shape//SAME/binomial} ECHELON_BCAST=${shape//SAME/binomial}
        export ECHELON_GATHER=binomial ECHELON_SCATTER=binomial ECHELON_ALLGATHER=circulant ECHELON_ALLTOALL='linear(window=2)'
        export ECHELON_REDUCE_SCATTER=halving ECHELON_SCAN=chain ECHELON_EXSCAN=recursive_doubling
        export ECHELON_SUMMARY=json:$folder/summary.json ECHELON_BARRIER=dissemination
        rm -f "$folder/summary.json"
        ours "$ranks" $command >"$folder/with" 2>"$folder/errors" || fail "$name with $shape ends with an error: $(cat "$folder/errors")"
        diff "$folder/plain" "$folder/with" >"$folder/difference" || fail "$name prints something else with $shape: $(cat "$folder/difference")"
        for collective in allreduce reduce bcast; do
            count "$folder/summary.json" "$collective" "${shape%%(*}" >"$folder/count" || fail "no summary of $name with $shape: $(cat "$folder/errors")"
            [ "$(cat "$folder/count")" -gt 0 ] || fail "no $collective of $name ran ${shape%%(*}"
        done
        [ "$(count "$folder/summary.json" barrier dissemination)" -gt 0 ] || fail "no barrier of $name was ours"
        [ "$name" != cxx ] || continue
        while read -r collective recipe; do
            [ "$(count "$folder/summary.json" "$collective" "$recipe")" -gt 0 ] || fail "no $collective of $name ran $recipe"
        done <<<"$flat"
        case $name in  # two allgathers, an alltoall; of each three calls with counts, one of them nonblocking
            mpif|use_mpi|f08)  # for each root a gather and a scatter, three gathervs, two scattervs
                [ "$(count "$folder/summary.json" gather binomial)" -eq 16 ] || fail "not all gathers of $name ran binomial"
                [ "$(count "$folder/summary.json" scatter binomial)" -eq 12 ] || fail "not all scatters of $name ran binomial"
                [ "$(count "$folder/summary.json" allgather circulant)" -eq 5 ] || fail "not all allgathers of $name ran circulant"
                [ "$(count "$folder/summary.json" alltoall linear)" -eq 4 ] || fail "not all alltoalls of $name ran linear" ;;
        esac
    done
    echo "$name: $(wc -l <"$folder/plain") lines, the same with and without"
done
exit "$failures"
