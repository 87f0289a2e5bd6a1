#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# MPI_THREAD_MULTIPLE with collectives on different communicators at once. In the preset tsan the thread
# sanitizer watches our part, and the test shows that it does see races. MPICH, which is not built with it,
# needs no suppressions: its locks are pthread locks.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

flags=(-O1 -g -Wall -Wextra -pthread)
if grep -q libtsan <<<"$(ldd "$library")"; then
    flags+=(-fsanitize=thread)
    # UCX watches madvise, which threads call after the sanitizer has released them.
    export UCX_MEM_MMAP_HOOK_MODE=none UCX_MEM_EVENTS=no
    export TSAN_OPTIONS="exitcode=66 history_size=4"
    gcc "${flags[@]}" "$here/race.c" -o "$folder/race" || exit 1
    code=0
    "$folder/race" 2>"$folder/errors" || code=$?
    [ $code -eq 66 ] || fail "the sanitizer does not see a race: exit code $code"
fi
"mpicc.$TEST_MPI" "${flags[@]}" "$here/threads.c" -o "$folder/threads" || exit 1
export ECHELON_SUMMARY=json:$folder/summary.json
# A trace of some calls, made by any threads, 96 each: this number of calls, and no phases of other calls.
export ECHELON_TRACE=$folder/trace.json,calls=101-300
# Open MPI's threads cannot make communicators at any time: all phases use one communicator there, and native
# phases do not run. MPICH is tested in both ways.
ways=("leaders(G=2, binomial, SAME, seg=512)" "positions(size=2, SAME, SAME)" "leaders(G=2, native, SAME)" shm)
[ "$TEST_MPI" = mpich ] && ways+=("one leaders(G=2, binomial, SAME, seg=512)" "one leaders(G=2, native, SAME)")
for way in "${ways[@]}"; do
    recipe=${way#one } one=$TEST_MPI
    unset ECHELON_COMMUNICATORS
    [ "$way" != "$recipe" ] && export ECHELON_COMMUNICATORS=0 one=openmpi
    export ECHELON_ALLREDUCE=${recipe//SAME/recursive_doubling} ECHELON_BARRIER=dissemination
    export ECHELON_REDUCE="leaders(G=2, binomial, binomial)" ECHELON_BCAST="leaders(G=2, binomial, binomial)"
    # Each thread's communicator has memory of its own, and leaves it to the next.
    [ "$way" = shm ] && export ECHELON_REDUCE=shm ECHELON_BCAST=shm ECHELON_BARRIER=shm
    output=$(ours 3 "$folder/threads" 4 "${THREADS_ROUNDS:-12}" 2>"$folder/errors") || fail "$way: it ends with an error: $output $(head -c 4000 "$folder/errors")"
    echo "$way: $output"
    [ "$output" = "4 threads, 0 wrong" ] || fail "$way: $output"
    python3 - "$folder/trace.json" "$way" <<'PYTHON' || fail "$way: the trace is not as it should be"
import json, sys
bars = [one for one in json.load(open(sys.argv[1]))["traceEvents"] if one["ph"] == "X"]
calls, phases = ([one for one in bars if fact in one["args"]] for fact in ("ranks", "group"))
assert len(calls) == 200 and len({one["tid"] for one in calls}) > 1 and bool(phases) == (sys.argv[2] != "shm"), (calls, phases)
for phase in phases:
    assert [one for one in calls if one["tid"] == phase["tid"] and one["ts"] - 1 <= phase["ts"] and phase["ts"] + phase["dur"] <= one["ts"] + one["dur"] + 1], phase
PYTHON
    if [ "$one" = openmpi ] && [[ $recipe == *native* ]]; then
        grep -q "native phases need communicators" "$folder/errors" || fail "$way: nothing is said: $(cat "$folder/errors")"
    else
        [ "$(count "$folder/summary.json" allreduce "${recipe%%(*}")" -gt 40 ] || fail "$way did not run: $(cat "$folder/errors")"
    fi
done
# A thread of Echelon advances nonblocking and persistent calls. Persistent ones need communicators, which Open
# MPI's threads cannot make.
unset ECHELON_TRACE ECHELON_COMMUNICATORS
export ECHELON_PROGRESS=thread ECHELON_BCAST=binomial
kinds="nonblocking persistent"
[ "$TEST_MPI" = openmpi ] && kinds=nonblocking
for recipe in recursive_doubling "leaders(G=2, binomial, recursive_doubling, seg=512)"; do
    export ECHELON_ALLREDUCE=$recipe
    # shellcheck disable=SC2086  # one argument each
    output=$(ours 3 "$folder/threads" 4 "${THREADS_ROUNDS:-6}" $kinds 2>"$folder/errors") || fail "$recipe, a thread: it ends with an error: $output $(head -c 4000 "$folder/errors")"
    [ "$output" = "4 threads, 0 wrong" ] || fail "$recipe, a thread: $output"
    ! grep -q ECHELON_PROGRESS= "$folder/summary.json" || fail "$recipe, a thread: nonblocking calls stay native: $(cat "$folder/summary.json")"
done
exit "$failures"
