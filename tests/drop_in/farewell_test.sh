#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A collective in the program's own delete callback found a freed state, and crashed. A callback that refuses
# kept the communicator, but its info keys were lost, and MPICH may not have noticed the refusal. Behaviour
# equals that without Echelon, in any order of deletion, and all ranks serve a call in one way.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/farewell.c" -o "$folder/farewell" || exit 1
for how in "" end exit; do
    # shellcheck disable=SC2086
    native 3 "$folder/farewell" $how >"$folder/plain$how" || fail "it does not run by itself: $(cat "$folder/plain$how")"
    cat "$folder/plain$how"
    grep -v ' 0 wrong$' "$folder/plain$how" && fail "it is wrong by itself"
    export ECHELON_ALLREDUCE=ring ECHELON_BCAST=binomial ECHELON_SUMMARY=json:$folder/summary$how.json
    # shellcheck disable=SC2086
    ours 3 "$folder/farewell" $how >"$folder/with" 2>"$folder/complaints" || fail "it ends with an error: $(cat "$folder/complaints")"
    diff "$folder/plain$how" "$folder/with" || fail "it differs"
    unset ECHELON_ALLREDUCE ECHELON_BCAST ECHELON_SUMMARY
done
[ "$(count "$folder/summary.json" allreduce ring)" -ge 100 ] || fail "few calls were served: $(cat "$folder/summary.json")"
[ "$(count "$folder/summary.json" allreduce reduce_bcast)" -ge 4 ] || fail "an info key was lost with a free that was refused"
[ "$(count "$folder/summaryend.json" allreduce ring)" -ge 1 ] || fail "nothing was served: $(cat "$folder/summaryend.json")"
# Static objects were destroyed before a handler of exit that called MPI, and ranks crashed: there must be
# none.
[ "$(count "$folder/summaryexit.json" allreduce ring)" -ge 1 ] || fail "nothing was served: $(cat "$folder/summaryexit.json")"
for room in core flat groups hier estimators shm mpi cache api; do
    nm -A "$TEST_BUILD/lib/libechelon_$room.a" >"$folder/symbols" || fail "$room cannot be read"
    grep ' U __cxa_atexit' "$folder/symbols" && fail "$room destroys something at exit"
done
exit "$failures"
