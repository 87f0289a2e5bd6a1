#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs whose ranks work in shared memory, by default, alone and inside shapes: communicators come and go,
# ranks are killed, jobs abort. Jobs end like they do natively, no process stays behind, and no memory: it has
# no name.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

for program in churn doors killed many; do
    "mpicc.$TEST_MPI" -O2 -Wall -Wextra "$here/$program.c" -o "$folder/$program" || exit 1
done
made=${CHURN_MADE:-300} alive=500
# force INNER: for all collectives of the programs.
force() { export ECHELON_ALLREDUCE=$1 ECHELON_REDUCE=$1 ECHELON_BCAST=$1 ECHELON_BARRIER=$1; }
grown() { sed -n 's/^0 wrong, grown by \(-\?[0-9]*\) KiB, 0 open files$/\1/p' "$1"; }

# With nothing set, repeated calls try it if memory can be shared; otherwise nothing is reported.
for ranks in 2 3; do
    ECHELON_TRIALS=50 ECHELON_SUMMARY=json:$folder/summary.json ours $ranks "$folder/many" 6000 >"$folder/output" 2>&1 || fail "unasked: many does not run"
    [ "$(cat "$folder/output")" = right ] || fail "unasked, $ranks ranks: $(cat "$folder/output")"
    [ "$(count "$folder/summary.json" allreduce shm)" -gt 0 ] || fail "unasked, $ranks ranks: it was not tried: $(cat "$folder/summary.json")"
done
printf 'int memfd_create(const char* name, unsigned flags) { return name == 0 && flags == 0 ? 0 : -1; }' >"$folder/none.c"
gcc -shared -fPIC "$folder/none.c" -o "$folder/none.so" || exit 1
ECHELON_TRIALS=50 started "$folder/none.so:$library" 3 "$folder/many" 6000 >"$folder/output" 2>&1 || fail "unasked, without memory: many does not run"
[ "$(cat "$folder/output")" = right ] || fail "unasked, without memory: $(cat "$folder/output")"

native 4 "$folder/churn" "$made" "$alive" >"$folder/plain" || fail "churn does not run by itself: $(cat "$folder/plain")"
for recipe in shm "leaders(size=2, shm, shm)"; do
    force "$recipe"
    export ECHELON_SUMMARY=json:$folder/summary.json
    ours 4 "$folder/churn" "$made" "$alive" >"$folder/with" || fail "$recipe: churn ends with an error: $(cat "$folder/with")"
    cat "$folder/with"
    [ -n "$(grown "$folder/with")" ] || { fail "$recipe: results are wrong: $(cat "$folder/with")"; continue; }
    [ "$(($(grown "$folder/with") - $(grown "$folder/plain")))" -lt 512 ] || fail "$recipe: memory grows"
    [ "$(count "$folder/summary.json" allreduce "${recipe%%(*}")" -ge $((made / 2 + 2 * alive)) ] || fail "$recipe did not run: $(cat "$folder/summary.json")"
    unset ECHELON_SUMMARY

    for moment in before operation long; do killed $moment "$recipe"; done

    ways=("thread alive" "null orders" "init reuse" "init in_finalize" "init abort" "init late")
    [ "$TEST_MPI" = mpich ] && ways+=(session "session_beside alive")
    # shellcheck disable=SC2086  # a way is several words
    for way in "${ways[@]}"; do
        alike "$recipe, $way" 3 "$folder/doors" $way
    done
done

# If memory cannot be shared, one rank reports it, and messages are used.
for recipe in shm "leaders(size=2, shm, shm)"; do
    force "$recipe"
    library=$folder/none.so:$library alike "$recipe, without memory" 3 "$folder/doors" thread alive
    [ "$(grep -c "cannot share memory" "$folder/errors")" -eq 1 ] || fail "$recipe, without memory: nothing, or too much, is said: $(cat "$folder/errors")"
    # The summary reports it too, for calls that had that recipe.
    ECHELON_SUMMARY=text:$folder/summary.txt started "$folder/none.so:$library" 3 "$folder/many" 200 >"$folder/output" 2>"$folder/errors" || fail "$recipe, without memory: many does not run"
    [ "$(cat "$folder/output")" = right ] || fail "$recipe, without memory: $(cat "$folder/output")"
    [ "$(grep -c "^  note .*cannot share memory here.*by messages$" "$folder/summary.txt")" -eq 1 ] || fail "$recipe, without memory: the summary does not say so once: $(cat "$folder/summary.txt")"
    grep -q "^  allreduce .* setting  *${recipe%%(*}" "$folder/summary.txt" || fail "$recipe, without memory: it was not chosen: $(cat "$folder/summary.txt")"
    ! grep -q "^  shared memory" "$folder/summary.txt" || fail "$recipe, without memory: the summary tells of some: $(cat "$folder/summary.txt")"
done

# Memory of this size and no more: all communicators of the same processes together take some 297 KB, and
# release them when unused: MPI_COMM_WORLD, and two of its three ranks at a time.
force shm
for most in 0 200K; do
    for ranks in 2 3; do
        ECHELON_WINDOW=$most ours $ranks "$folder/churn" 40 10 >"$folder/with" 2>"$folder/errors" || fail "ECHELON_WINDOW=$most: churn ends with an error: $(cat "$folder/with")"
        [ -n "$(grown "$folder/with")" ] || fail "ECHELON_WINDOW=$most: results are wrong: $(cat "$folder/with")"
        [ "$(grep -c "ECHELON_WINDOW=$most" "$folder/errors")" -eq 1 ] || fail "ECHELON_WINDOW=$most: nothing, or too much, is said: $(cat "$folder/errors")"
    done
done
for ranks in 2 3; do
    ECHELON_SUMMARY=text:$folder/summary.txt ECHELON_WINDOW=600K ours $ranks "$folder/churn" 40 300 >"$folder/with" 2>"$folder/errors" || fail "two segments: churn ends with an error: $(cat "$folder/with")"
    [ -n "$(grown "$folder/with")" ] || fail "two segments: results are wrong: $(cat "$folder/with")"
    ! grep ECHELON_WINDOW "$folder/errors" || fail "two segments are not enough: $(cat "$folder/errors")"
    grep -q "^  shared memory   $((ranks == 2 ? 297 : 593))K of rank 0 at most (ECHELON_WINDOW=600K)$" "$folder/summary.txt" || fail "two segments: the summary does not tell of them: $(cat "$folder/summary.txt")"
    ! grep "^  note" "$folder/summary.txt" || fail "two segments: the summary says that they are not enough"
done
exit "$failures"
