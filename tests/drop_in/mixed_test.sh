#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# If only some ranks had the drop-in library, their exchange at MPI_Init met the others' first calls: results
# were silently wrong. The launcher tells all ranks if every rank has it; otherwise all calls stay with the
# MPI library, and one sentence reports it.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/mixed.c" -o "$folder/mixed" || exit 1
read -ra mpiexec <<<"$TEST_MPIEXEC"
export ECHELON_ALLREDUCE=ring ECHELON_BCAST=binomial ECHELON_BARRIER=dissemination ECHELON_SUMMARY=json:$folder/summary.json
yield=$([ "$TEST_MPI" = mpich ] && echo "$TEST_YIELD" || true)

mixed() { # one letter a rank: e has it, n has not
    local word=$1 rank command=("${mpiexec[@]}")
    for ((rank = 0; rank < ${#word}; ++rank)); do
        [ "$rank" -eq 0 ] || command+=(: -n)
        local libraries=$yield
        [ "${word:rank:1}" = n ] || libraries+=${libraries:+:}$library
        command+=(1 env "LD_PRELOAD=$libraries" "$folder/mixed")
    done
    rm -f "$folder/summary.json"
    "${command[@]}" >"$folder/output" 2>"$folder/errors" || fail "$word: it ends with an error: $(cat "$folder/errors")"
    grep -qx "0 wrong" "$folder/output" || fail "$word: results are wrong: $(cat "$folder/output")"
}
mixed eeeee
grep -q echelon "$folder/errors" && fail "all ranks have it: $(cat "$folder/errors")"
[ "$(count "$folder/summary.json" allreduce ring)" -eq 3 ] || fail "all ranks have it: not the recipe that was asked for"
for ranks in en ne een ene nee enn nnnne ennnn eeeen eneee neeee eenee nneee eneen; do
    mixed "$ranks"
    said=$(grep -c "echelon: rank [0-9]* was started without" "$folder/errors")
    [ "$said" -eq 1 ] || fail "$ranks: said $said times, not once: $(cat "$folder/errors")"
    named=$(grep -o "rank [0-9]* was" "$folder/errors" | grep -o '[0-9]*')
    [ "${ranks:named:1}" = n ] || fail "$ranks: rank $named has it"
    [ ! -e "$folder/summary.json" ] || [ "$(count "$folder/summary.json" allreduce "")" -eq 0 ] || fail "$ranks: a recipe ran"
done
exit "$failures"
