#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Documents show commands that work: every indented command of README.md, docs/ and two pages of results that runs a program of the
# build succeeds, and every program in C++, C or Fortran shown there compiles, links and runs on four ranks. A
# program with info keys runs by them, with the drop-in library in front. Commands that set up or build (cmake,
# scripts/...) have run already, or have tests of their own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/build"
ln -s "$TEST_BUILD" "$folder/build/release"
ln -s "$TEST_SOURCE"/* "$folder/" 2>/dev/null || true  # all but build
[ -z "$TEST_YIELD" ] || export LD_PRELOAD=$TEST_YIELD
cd "$folder"
failed=0

# ./app of the documents: a program that needs no recompiling.
cat >app.c <<'C'
#include <mpi.h>
int main(int argc, char** argv) {
    double mine = 1, sum = 0;
    int size = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 10; ++i) MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == size ? 0 : 1;
}
C
mpicc.mpich app.c -o app
mkdir path
printf '#!/bin/sh\nexec mpiexec.mpich "$@"\n' >path/mpiexec
chmod +x path/mpiexec
export PATH=$PWD/path:$PATH

# Prints the commands of a document, one a line; joins lines broken with \.
commands() {
    awk '/^    /    { sub(/^ +/, ""); line = line $0
                      if (sub(/\\$/, "", line)) next
                      if (line ~ /^(\$ )?([A-Z_]+=[^ ]* )*(build\/release\/bin\/|mpiexec\.mpich )/) { sub(/^\$ /, "", line); print line } }
         { line = "" }' "$1"
}

no_cluster=$("$TEST_BUILD/bin/echelon" cluster up --dry-run | sed -n 's/^but here //p')
trap '[ -n "$no_cluster" ] || "$TEST_BUILD/bin/echelon" cluster down >/dev/null; rm -rf "$folder"' EXIT

# A page that names targets to build names all that its commands use.
for document in "$TEST_SOURCE"/docs/*.md; do
    read -ra targets < <(sed -n 's/^    scripts\/build release //p' "$document") || continue
    made=$(cd "$TEST_BUILD" && ninja -t inputs "${targets[@]}" && ninja -t query "${targets[@]}" | sed 's/^ *//')
    for used in $(commands "$document" | grep -oE 'build/release/(bin|lib)/[A-Za-z0-9_.-]+' | sort -u); do
        grep -qx "${used#build/release/}" <<<"$made" || { echo "FAILED: $(basename "$document") uses $used, and does not build it"; failed=1; }
    done
done

documents=("$TEST_SOURCE"/README.md "$TEST_SOURCE"/docs/*.md "$TEST_SOURCE"/docs/results/{timelines,local_reduction}.md)
run=0
for document in "${documents[@]}"; do
    [[ $document != */first_gain.md ]] || continue  # has a program, and tests, of its own
    while IFS= read -r command; do
        if [ -n "$no_cluster" ] && [[ $command == *"echelon cluster "* ]]; then
            echo "$(basename "$document"): not run, $no_cluster: $command"
            continue
        fi
        run=$((run + 1))
        echo "$(basename "$document"): $command"
        bash -c "$command" >output 2>&1 </dev/null && continue
        echo "FAILED with exit code $?:"
        tail -20 output
        failed=1
    done < <(commands "$document")

    awk -v name="$(basename "$document" .md)" '/^```(cpp|c|fortran)$/ { inside = 1; sub(/fortran/, "f90"); file = name "_" ++n "." substr($0, 4); next }
         /^```$/ { inside = 0 }
         inside { print > file }' "$document"
done
[ "$run" -ge 3 ] || { echo "FAILED: found $run commands alone"; failed=1; }

# Makes ./program of a shown program.
compile() {
    local flags=(-I"$TEST_SOURCE/src/api/include" -I"$TEST_BUILD/include" -L"$TEST_BUILD/lib" -lechelon "-Wl,-rpath,$TEST_BUILD/lib")
    case $1 in
        *.cpp) mpicxx."$TEST_MPI" -std=c++20 -Wall -Wextra -Werror "$1" "${flags[@]}" -o program ;;
        *.c) mpicc."$TEST_MPI" -Wall -Wextra -Werror "$1" "${flags[@]}" -o program ;;
        *.f90) mpif90."$TEST_MPI" "$1" -o program ;;
    esac
}

declare -A programs=([cpp]=0 [c]=0 [f90]=0)
for program in *_[0-9]*.cpp *_[0-9]*.c *_[0-9]*.f90; do
    grep -qsE "int main|^program" "$program" || continue  # it may be a fragment
    language=${program##*.}
    programs[$language]=$((programs[$language] + 1))
    if [ "$language" = f90 ] && ! command -v "mpif90.$TEST_MPI" >/dev/null; then
        echo "$program: not run, there is no Fortran compiler here"
        continue
    fi
    echo "$program"
    in_front=()
    ! grep -q "Comm_set_info" "$program" || in_front=("$TEST_BUILD/bin/echelon" run --summary --)
    # shellcheck disable=SC2086  # the launcher is several words
    if ! { compile "$program" && ${in_front[@]+"${in_front[@]}"} $TEST_MPIEXEC 4 ./program; } >output 2>&1 ||
        { [ ${#in_front[@]} -gt 0 ] && ! grep -q " key  .* leaders(" output; }; then
        echo FAILED:
        tail -20 output
        failed=1
    fi
done
for language in "${!programs[@]}"; do
    [ "${programs[$language]}" -ge 1 ] || { echo "FAILED: no program in $language is shown"; failed=1; }
done
exit $failed
