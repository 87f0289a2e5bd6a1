#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The preset `any` takes the MPI of the first mpicxx in PATH. It builds everything else without Google
# Benchmark and a BLAS, which are optional.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $1"; exit 1; }
mkdir "$folder/bin"
for name in mpicxx mpiexec; do ln -s "$(command -v "$name.$TEST_MPI")" "$folder/bin/$name"; done
PATH=$folder/bin:$PATH cmake --preset any -S "$TEST_SOURCE" -B "$folder/build" \
    -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON -DCMAKE_DISABLE_FIND_PACKAGE_BLAS=ON >"$folder/said" 2>&1 || fail "it is not configured: $(tail -5 "$folder/said")"
cache=$folder/build/CMakeCache.txt
grep -q "^MPI_CXX_COMPILER:.*=$folder/bin/mpicxx$" "$cache" || fail "another compiler: $(grep '^MPI_CXX_COMPILER:' "$cache")"
grep -q "^MPIEXEC_EXECUTABLE:.*=$folder/bin/mpiexec$" "$cache" || fail "another launcher: $(grep '^MPIEXEC_EXECUTABLE:' "$cache")"
grep -q "^ECHELON_MPI_NAME:.*=$TEST_MPI$" "$cache" || fail "another MPI: $(grep '^ECHELON_MPI_NAME:' "$cache")"
grep -q '^CMAKE_BUILD_TYPE:.*=Release$' "$cache" || fail "it is not optimised"
for missing in benchmark BLAS; do
    grep -q "Without $missing, which is not found" "$folder/said" || fail "it does not say that $missing is missing: $(cat "$folder/said")"
done
targets=$(cmake --build "$folder/build" --target help)
for target in echelon_tool sgd test_core; do grep -q "^$target: " <<<"$targets" || fail "without them there is no $target"; done
for target in summa bench_simulator test_summa; do ! grep -q "^$target: " <<<"$targets" || fail "without them there is a $target, which needs one"; done
for list in configure build test; do
    grep -q '"any"' <<<"$(cd "$TEST_SOURCE" && cmake --list-presets=$list)" || fail "no $list preset"
done
