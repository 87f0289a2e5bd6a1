#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The preset `any` takes the MPI whose mpicxx comes first in PATH, whichever that is.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $1"; exit 1; }
mkdir "$folder/bin"
for name in mpicxx mpiexec; do ln -s "$(command -v "$name.$TEST_MPI")" "$folder/bin/$name"; done
PATH=$folder/bin:$PATH cmake --preset any -S "$TEST_SOURCE" -B "$folder/build" >"$folder/said" 2>&1 || fail "it is not configured: $(tail -5 "$folder/said")"
cache=$folder/build/CMakeCache.txt
grep -q "^MPI_CXX_COMPILER:.*=$folder/bin/mpicxx$" "$cache" || fail "another compiler: $(grep '^MPI_CXX_COMPILER:' "$cache")"
grep -q "^MPIEXEC_EXECUTABLE:.*=$folder/bin/mpiexec$" "$cache" || fail "another launcher: $(grep '^MPIEXEC_EXECUTABLE:' "$cache")"
grep -q "^ECHELON_MPI_NAME:.*=$TEST_MPI$" "$cache" || fail "another MPI: $(grep '^ECHELON_MPI_NAME:' "$cache")"
grep -q '^CMAKE_BUILD_TYPE:.*=Release$' "$cache" || fail "it is not optimised"
for list in configure build test; do
    grep -q '"any"' <<<"$(cd "$TEST_SOURCE" && cmake --list-presets=$list)" || fail "no $list preset"
done
