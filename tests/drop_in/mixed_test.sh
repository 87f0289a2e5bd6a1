#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# If only some ranks had the drop-in library, or some called MPI_Init past it, their exchange at MPI_Init met the
# others' first calls: results were silently wrong. The launcher tells all ranks if every rank takes part;
# otherwise all calls stay with the MPI library, and a sentence reports it. Echelon's own functions were native on
# the ranks with the drop-in library, and met the messages of the ranks without it: all ranks serve them.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/mixed.c" -o "$folder/mixed" &&
    "mpicc.$TEST_MPI" -Wall -Wextra -DAPI "$here/mixed.c" -I"$TEST_SOURCE/src/api/include" -I"$TEST_BUILD/include" \
        -L"$TEST_BUILD/lib" -lechelon -Wl,-rpath,"$TEST_BUILD/lib" -o "$folder/mixed_api" &&
    "mpicc.$TEST_MPI" -Wall -Wextra -shared -fPIC "$here/eager_tool.c" -o "$folder/eager_tool.so" || exit 1
read -ra mpiexec <<<"$TEST_MPIEXEC"
export ECHELON_ALLREDUCE=ring ECHELON_BCAST=binomial ECHELON_BARRIER=dissemination ECHELON_SUMMARY=json:$folder/summary.json
yield=$([ "$TEST_MPI" = mpich ] && echo "$TEST_YIELD" || true)
program=mixed past=past tool=

mixed() { # one letter a rank: e has it, n has not, p has it and calls MPI_Init past it
    local word=$1 rank command=("${mpiexec[@]}")
    for ((rank = 0; rank < ${#word}; ++rank)); do
        [ "$rank" -eq 0 ] || command+=(: -n)
        local libraries=$yield
        [ "${word:rank:1}" = n ] || libraries+=${libraries:+:}$library
        [ -z "$tool" ] || libraries+=${libraries:+:}$tool
        command+=(1 env "LD_PRELOAD=$libraries" "$folder/$program")
        [ "${word:rank:1}" != p ] || command+=("$past")
    done
    rm -f "$folder/summary.json"
    "${command[@]}" >"$folder/output" 2>"$folder/errors" || fail "$word: it ends with an error: $(cat "$folder/errors")"
    grep -qx "0 wrong" "$folder/output" || fail "$word: results are wrong: $(cat "$folder/output")"
}
stays_native() { # one letter a rank
    local ranks=$1 said named
    mixed "$ranks"
    # One of the ranks that see MPI_Init reports the others; rank 0 reports its own.
    said=$(grep -c "echelon: rank [0-9]* began MPI without" "$folder/errors")
    [ "$said" -eq "$([[ $ranks == *e* ]] && echo 1 || echo 0)" ] || fail "$ranks: said $said times: $(cat "$folder/errors")"
    named=$(grep -o "rank [0-9]* began" "$folder/errors" | grep -o '[0-9]*')
    [ "$said" -eq 0 ] || [ "${ranks:named:1}" != e ] || fail "$ranks: rank $named takes part"
    said=$(grep -c "echelon: MPI_Init was called past" "$folder/errors")
    [ "$said" -eq "$([[ $ranks == p* ]] && echo 1 || echo 0)" ] || fail "$ranks: rank 0 said $said times that MPI_Init went past: $(cat "$folder/errors")"
    [ -e "$folder/summary.json" ] || [ "$of_api" -eq 0 ] || fail "$ranks: no summary"
    [ ! -e "$folder/summary.json" ] || [ "$(ran "") $(ran ring)" = "$of_api $of_api" ] || fail "$ranks: $(ran "") calls were served, $(ran ring) by the ring, instead of $of_api"
}
ran() { count "$folder/summary.json" allreduce "$1"; }
is_served() {
    mixed "$1"
    grep -q echelon "$folder/errors" && fail "all ranks have it: $(cat "$folder/errors")"
    [ "$(count "$folder/summary.json" allreduce ring)" -eq 3 ] || fail "all ranks have it: not the recipe that was asked for"
}
of_api=0
is_served eeeee
for ranks in en ne een ene nee enn nnnne ennnn eeeen eneee neeee eenee nneee eneen; do stays_native "$ranks"; done
for ranks in pe ep pee eep ppe epep pn np pppn pne enp; do stays_native "$ranks"; done
for past in past past_thread; do
    stays_native ppp
    grep -q "MPI_Init went past Echelon" "$folder/summary.json" || fail "ppp, $past: the summary does not say why: $(cat "$folder/summary.json")"
done
stays_native pee

# A tool that calls MPI before MPI_Init returns met the same exchange too early.
tool=$folder/eager_tool.so
is_served eee
for ranks in en nee; do stays_native "$ranks"; done

# Twenty calls of the API on each of two communicators.
program=mixed_api tool="" of_api=40
for ranks in een ene nee enn nne pnn npn epn ppp pep; do stays_native "$ranks"; done
exit "$failures"
