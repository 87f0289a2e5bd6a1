#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Communicators that come and go, and one that stays until MPI_Finalize: valgrind sees no lost memory and no
# wrong access. The memory of handles (communicators, datatypes, attributes) is the MPI library's, hence lost
# handles show too.
set -euo pipefail
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
$TEST_MPIEXEC 3 valgrind --quiet --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
    --log-file="$logs/%p" "$TEST_BUILD/bin/test_cache" --gtest_filter='Cache.A*:Cache.Stays*' | grep -E 'PASSED|FAILED'
[ "$(ls "$logs" | wc -l)" -eq 3 ] || { echo "FAILED: valgrind did not run on 3 ranks"; exit 1; }
if grep -hE 'definitely lost|Invalid|uninitialised' -A 14 "$logs"/* | grep -E 'echelon|test_cache'; then
    cat "$logs"/*
    echo "FAILED: see above"
    exit 1
fi
echo "passed"
