#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A library preloaded into every program of a site: programs of an MPI that Echelon is installed for are
# served, without visible traces. Programs of another MPI, programs that load MPI later, and programs without
# MPI run unchanged, at almost no cost.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

other=$([ "$TEST_MPI" = mpich ] && echo openmpi || echo mpich)
"mpicc.$TEST_MPI" -Wall -Wextra "$here/site.c" -o "$folder/a program" && "mpicc.$other" "$here/site.c" -o "$folder/of_other" || exit 1
site=$folder/site/libechelon-preload.so
mkdir -p "$folder/site/some_name" "$folder/site/profile.d" && cp "$TEST_BUILD/lib/libechelon-preload.so" "$site" && ln -s "$library" "$folder/site/some_name" || exit 1
touch "$folder/site/profile.d/libechelon-pmpi.so"  # not a library
everywhere=$site${TEST_YIELD:+:$TEST_YIELD}
export ECHELON_SUMMARY=json:$folder/summary.json ECHELON_ALLREDUCE=ring
# run COMMAND...: with the library in front of the launcher and all processes that it starts.
run() {
    rm -f "$folder/summary.json"
    LD_PRELOAD=$everywhere "$@" >"$folder/out" 2>"$folder/err" || fail "$* ends with $?: $(cat "$folder/err")"
}
served() { [ -s "$folder/summary.json" ] && [ "$(count "$folder/summary.json" allreduce ring)" -eq "$1" ] || fail "$2 is not served: $(cat "$folder/err")"; }
alone() { [ ! -e "$folder/summary.json" ] && [ ! -s "$folder/err" ] || fail "$1 is not left alone: $(cat "$folder/err" "$folder/summary.json")"; }
# shellcheck disable=SC2206  # launcher and options are several words
launcher=($TEST_MPIEXEC)

said=$(printf '%s\n' "sum 2" "word 'a word'" "word ''" "word '*'" "name a program" "started as a program" "child $everywhere" 0)
run "${launcher[@]}" 2 "$folder/a program" 'a word' '' '*'; served 1 "a program"
[ "$(cat "$folder/out")" = "$said" ] || fail "a program says: $(diff "$folder/out" - <<<"$said")"
printf '#!/bin/sh\n%s 2 "$@"\n' "$TEST_MPIEXEC" >"$folder/script" && chmod +x "$folder/script"
run "$folder/script" "$folder/a program"; served 1 "what a script starts"
# Each rank forks a shell, which executes the program; the user's preloaded tools stay.
run "${launcher[@]}" 2 sh -c 'true; "$0"; exit $?' "$folder/a program"; served 1 "a child"
grep -qx "child $everywhere" "$folder/out" || fail "a child's child finds $(cat "$folder/out")"

ECHELON_MODE=off run "${launcher[@]}" 2 "$folder/a program"; alone "who wants no Echelon"
run "${launcher[@]}" 1 "$folder/of_other"; alone "a program of another MPI"
run "${launcher[@]}" 1 "$(ldd "$folder/a program" | sed -n 's/^\s*\(\S*ld-linux\S*\) .*/\1/p')" "$folder/a program" word; alone "what the dynamic loader was told to start"
grep -qx "word 'word'" "$folder/out" || fail "what the loader starts says: $(cat "$folder/out")"
python=$(python_with_mpi)
if [ -n "$python" ]; then
    run "${launcher[@]}" 2 "$python" -c 'from mpi4py.MPI import COMM_WORLD as world; print("sum 2" * (world.allreduce(1) == 2 and world.rank == 0))'; alone "Python, which loads MPI later"
    [ "$(xargs <"$folder/out")" = "sum 2" ] || fail "Python says: $(cat "$folder/out")"
fi
LD_PRELOAD=$library:$site run "${launcher[@]}" 1 true
everywhere=$library:$everywhere run "${launcher[@]}" 2 "$folder/a program"; served 1 "what has the library already"

# A folder that no list of libraries can name, and one without any.
cp -r "$folder/site" "$folder/one two" && rm -r "$folder/site/some_name"
run "${launcher[@]}" 2 "$folder/a program"; alone "a site without a library for this MPI"

# In a program without MPI one name is looked up. The cost of any preload is that of an empty library, in
# instructions including the dynamic loader's.
names=$(readelf -rW "$site" | awk '$3 ~ /GLOB_DAT|_64$|ABS/ { print $5 }')
[ "$names" = PMPI_Init ] || fail "the dynamic loader looks up $names for every program"
if command -v valgrind >/dev/null; then
    instructions() { LD_PRELOAD=$1 valgrind --tool=callgrind --callgrind-out-file=/dev/null /bin/true 2>&1 | sed -n 's/.*Collected : //p'; }
    "${CC:-cc}" -shared -nostartfiles -x c /dev/null -o "$folder/empty.so" || exit 1
    none=$(instructions '') empty=$(instructions "$folder/empty.so") ours=$(instructions "$site")
    echo "/bin/true: $none instructions, $empty with an empty library in front, $ours with the site's"
    [[ $none -gt 50000 && $empty -gt $none && $((ours - empty)) -lt 8000 ]] || fail "a program without MPI pays for it"
fi
exit "$failures"
