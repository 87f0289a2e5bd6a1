#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The trace of a run has a bar for each collective, also the library's own, and within it one for each phase, with recipe, bytes and group;
# without a trace, or where its file cannot be written, the program runs as ever.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/summary.c" -o "$folder/sums" || exit 1
cd "$folder" || exit 1
export ECHELON_BCAST="leaders(G=2, binomial, chain)" ECHELON_ALLREDUCE=native
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
    calls, phases = [one for one in bars if "recipe" in one["args"]], [one for one in bars if "group" in one["args"]]
    assert len(calls) + len(phases) == len(bars) and [one["name"] for one in calls] == 20 * ["allreduce"] + ["bcast"], bars
    assert calls[0]["args"] == {"recipe": "native", "chosen_by": "setting", "bytes": 256, "ranks": 4}, calls[0]
    bcast = calls[-1]
    assert bcast["args"] == {"recipe": "leaders(G=2, binomial, chain)", "chosen_by": "setting", "bytes": 256, "ranks": 4}, bcast
    # Ranks 0 and 2 lead groups of two.
    wanted = {("bcast binomial", 2)} | ({("bcast chain", 2)} if rank in (0, 2) else set())
    assert {(one["name"], one["args"]["group"]) for one in phases} == wanted, phases
    for one in phases:
        assert one["args"]["bytes"] == 256, one
        assert bcast["ts"] - 1 <= one["ts"] and one["ts"] + one["dur"] <= bcast["ts"] + bcast["dur"] + 1, (one, bcast)
    starts = [one["ts"] for one in calls]
    assert starts == sorted(starts) and all(one["dur"] > 0 for one in calls)
PYTHON
ECHELON_TRACE=/proc/none.json ECHELON_SUMMARY=json:s.json ours 2 ./sums 2>errors || fail "a trace that cannot be written ends the program"
[ "$(grep -c '^echelon: the trace .*cannot be written' errors)" -eq 1 ] || fail "nothing, or too much, is said of it: $(cat errors)"
[ -s s.json ] || fail "then there is no summary either"
exit "$failures"
