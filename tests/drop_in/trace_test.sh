#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The trace of a run has a bar for each collective, also the library's own, and within it one for each phase,
# with recipe, bytes and group; a filter restricts it to some calls. Without a trace, or with an unwritable
# file, the program runs normally.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/summary.c" -o "$folder/sums" || exit 1
cd "$folder" || exit 1
export ECHELON_BCAST="leaders(G=2, binomial, chain(seg=64))" ECHELON_ALLREDUCE=native
ECHELON_TRACE='t%r.json' ours 4 ./sums || fail "it does not run"
python3 - <<'PYTHON' || fail "the trace is not as it should be"
import json
for rank in range(4):
    trace = json.load(open(f"t{rank}.json"))
    assert "./sums" in trace["otherData"]["title"] and "measured" in trace["otherData"]["title"], trace["otherData"]
    events = trace["traceEvents"]
    assert {one["pid"] for one in events} == {rank}
    assert [one["args"]["name"] for one in events if one["name"] == "process_name"] == [f"rank {rank}"]
    bars = [one for one in events if one["ph"] == "X"]
    calls, phases = [one for one in bars if "ranks" in one["args"]], [one for one in bars if "group" in one["args"]]
    assert len(calls) + len(phases) == len(bars) and [one["name"] for one in calls] == 20 * ["allreduce"] + ["bcast"], bars
    assert calls[0]["args"] == {"recipe": "native", "chosen_by": "setting", "bytes": 256, "ranks": 4}, calls[0]
    bcast = calls[-1]
    assert bcast["args"] == {"recipe": "leaders(G=2, binomial, chain(seg=64))", "chosen_by": "setting", "bytes": 256, "ranks": 4}, bcast
    # Ranks 0 and 2 lead groups of two.
    wanted = {("bcast binomial", "binomial", 2)} | ({("bcast chain", "chain(seg=64)", 2)} if rank in (0, 2) else set())
    assert {(one["name"], one["args"]["recipe"], one["args"]["group"]) for one in phases} == wanted, phases
    for one in phases:
        assert one["args"]["bytes"] == 256, one
        assert bcast["ts"] - 1 <= one["ts"] and one["ts"] + one["dur"] <= bcast["ts"] + bcast["dur"] + 1, (one, bcast)
    starts = [one["ts"] for one in calls]
    assert starts == sorted(starts) and all(one["dur"] > 0 for one in calls)
PYTHON

# Only calls of the requested sizes and numbers, counted within these sizes; phases of others have no bars
# either.
"mpicc.$TEST_MPI" -Wall -Wextra "$here/sizes.c" -o "$folder/sizes" || exit 1
export ECHELON_ALLREDUCE="leaders(G=2, binomial, ring)"
only() {  # ranges of bytes and of calls, words of the title; filters
    ECHELON_TRACE="o%r.json$4" ours 4 ./sizes || fail "$4: it does not run"
    python3 - "$@" <<'PYTHON' || fail "$4: the trace is not as it should be"
import json, sys
(low, high), (first, last) = (map(int, text.split("-")) for text in sys.argv[1:3])
made = [size for turn in range(1, 11) for size in (8 * turn, 65536 + 8 * turn)]
wanted = [size for size in made if low <= size <= high][first - 1:last]
for rank in range(4):
    trace = json.load(open(f"o{rank}.json"))
    bars = [one for one in trace["traceEvents"] if one["ph"] == "X"]
    calls, phases = [one for one in bars if "ranks" in one["args"]], [one for one in bars if "group" in one["args"]]
    assert [one["args"]["bytes"] for one in calls] == wanted, (calls, wanted)
    assert len(phases) == len(wanted) * (3 if rank in (0, 2) else 2), phases
    for call in calls:
        inside = [one["name"] for one in phases if call["ts"] <= one["ts"] and one["ts"] + one["dur"] <= call["ts"] + call["dur"] + 1]
        assert inside == ["reduce binomial"] + ["allreduce ring"] * (rank in (0, 2)) + ["bcast binomial"], (call, inside)
    assert trace["otherData"]["title"].partition(", measured")[2] == sys.argv[3], trace["otherData"]
PYTHON
}
only 0-99999 1-20 "" ""
only 32-65560 1-20 "; calls of 32-65560 bytes" ,bytes=32-65560
only 65536-99999 1-20 "; calls of 64K- bytes" ,bytes=64K-
only 0-99999 5-8 "; calls 5-8" ,calls=5-8
only 0-99999 19-20 "; calls 19-" ,calls=19-
only 16-1024 2-3 "; calls 2-3; calls of 16-1K bytes" ",calls=2-3,bytes=16-1K"
only 0-99999 21-99 "; calls 21-99" ,calls=21-99
wrong() {  # sentence, filters
    ECHELON_TRACE=wrong.json$2 ours 2 ./sizes 2>errors || fail "$2: it does not run"
    [ "$(grep -cF "echelon: ECHELON_TRACE is not used: $1; the form is FILE[,bytes=4K-64K][,calls=100-200]" errors)" -eq 1 ] ||
        fail "$2: expected '$1' in: $(cat errors)"
}
wrong "sizes '4K': expected a range such as 0-4K, or 4K- without an upper end" ,bytes=4K
wrong "'0-5' begins at 0; calls are counted from 1" ,calls=0-5

ECHELON_TRACE=/proc/none.json ECHELON_SUMMARY=json:s.json ours 2 ./sums 2>errors || fail "a trace that cannot be written ends the program"
[ "$(grep -c '^echelon: the trace .*cannot be written' errors)" -eq 1 ] || fail "nothing, or too much, is said of it: $(cat errors)"
[ -s s.json ] || fail "then there is no summary either"
exit "$failures"
