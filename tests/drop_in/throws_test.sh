#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The drop-in library exported names of the standard library, which a program with another one then used. It
# exports MPI's names and the public API only, contains its own standard library, and does not interfere with
# exceptions and memory, in C++ programs with the shared standard library, with one of their own, and with
# Echelon's exceptions.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

for shared in "$library" "$TEST_BUILD/lib/libechelon.so"; do
    [ -e "$shared" ] || continue
    shown=$(nm -DC --defined-only "$shared" | cut -c 20-)
    others=$(grep -vE '^(MPIX?_|mpix?_|PMIx_Fence(_nb)?$|ucp_worker_progress$|echelon_)' <<<"$shown" || true)
    [ -z "$others" ] || fail "$(basename "$shared") shows $others"
    grep -q '^echelon_allreduce$' <<<"$shown" || fail "$(basename "$shared") does not show its API"
    inside=$(nm -C --defined-only "$shared" | grep -E 'echelon::(check\(echelon::Schedule|lint\(|to_svg|regret_on|Workload::)' || true)
    [ -z "$inside" ] || fail "$(basename "$shared") holds what no call needs: $inside"
done
grep -q ' MPI_Allreduce$' <<<"$(nm -D --defined-only "$library")" || fail "MPI_Allreduce is not there"

if grep -q '^ECHELON_OWN_STANDARD_LIBRARY:.*=1$' "$TEST_BUILD/CMakeCache.txt"; then
    ! readelf -d "$library" | grep -E 'NEEDED.*(libstdc|libgcc)' || fail "it brings a standard library into every program"
fi

export ECHELON_ALLREDUCE="leaders(G=2, binomial, recursive_doubling)" ECHELON_SUMMARY=json:$folder/summary.json
says() {  # PROGRAM SENTENCE
    rm -f "$folder/summary.json"
    printed=$(ours 3 "$folder/$1" 2> "$folder/said") || fail "$1 ends with an error: $printed, $(< "$folder/said")"
    [ "$printed" = "$2" ] || fail "$1 prints '$printed' instead of '$2'"
    [ "$(count "$folder/summary.json" allreduce leaders)" = 9 ] || fail "$1: Echelon did not serve its calls"
}
compiled=("mpicxx.$TEST_MPI" -std=c++20 -Wall -Wextra "$here/throws.cpp")
"${compiled[@]}" -o "$folder/throws" || exit 1
says throws "sum 27, caught 10, under way 0"
"${compiled[@]}" -static-libstdc++ -static-libgcc -o "$folder/own_library" || exit 1
says own_library "sum 27, caught 10, under way 0"
"${compiled[@]}" -DTUNED -I"$TEST_SOURCE/src/api/include" -I"$TEST_BUILD/include" -L"$TEST_BUILD/lib" -lechelon \
    -Wl,-rpath,"$TEST_BUILD/lib" -o "$folder/tuned" || exit 1
says tuned "sum 27, caught 12, under way 0"
exit "$failures"
