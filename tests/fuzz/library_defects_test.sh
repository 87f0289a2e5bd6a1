#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each known defect of the MPI libraries is in the tester's list and in docs/results/library_defects.md, and
# its program shows it if that library is in use.
set -euo pipefail
here=$TEST_SOURCE/tests/fuzz
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
read -ra launch <<<"$TEST_MPIEXEC"
library=$([ "$TEST_MPI" = mpich ] && echo MPICH || echo "Open MPI")
installed=$("${launch[0]}" --version)
failed=0
fail() { echo "FAILED: $*"; failed=1; }

build() { "mpicc.$TEST_MPI" -std=c11 -O1 -Wall -Wextra -Werror "$here/library_defects/$1.c" -o "$folder/$1"; }
# run SECONDS RANKS COMMAND...: 0 seconds are no limit.
run() { timeout -k 5 "$1" env OMPI_MCA_mpi_yield_when_idle=1 "${launch[@]}" "${@:2}" >"$folder/output" 2>&1; }

# A correct program succeeds here: a failing launcher is no defect.
build alltoall_of_one
SECONDS=0
run 0 1 "$folder/alltoall_of_one" named || fail "alltoall_of_one, where nothing is wrong: $(<"$folder/output")"
# A defect that is a hang.
hangs=$((10 + 20 * SECONDS))

shown=0
for source in "$here"/library_defects/*.c; do
    name=$(basename "$source" .c)
    if [[ ! $(sed -n 2p "$source") =~ ^"/* "(MPICH|Open MPI)" "([0-9.]+)", "([0-9]+)" rank" ]]; then
        fail "$name.c: the second line does not say library, version and ranks"
        continue
    fi
    of=${BASH_REMATCH[1]} version=${BASH_REMATCH[2]} ranks=${BASH_REMATCH[3]}
    grep -qE "^\| $of $version \| .* \| \`$name.c\` \|$" "$TEST_SOURCE/docs/results/library_defects.md" || fail "$name.c is not in the table of docs/results/library_defects.md"
    grep -q "$name.c" "$here"/defects.?pp || fail "$name.c is not in defects.cpp or defects.hpp"
    build "$name" || { fail "$name.c"; continue; }
    [[ $of == "$library" && $installed == *"$version"* ]] || continue
    shown=$((shown + 1))
    if run $hangs "$ranks" "$folder/$name"; then fail "$name.c shows no defect: $(<"$folder/output")"; fi
done
echo "$shown defects of $library shown"
exit $failed
