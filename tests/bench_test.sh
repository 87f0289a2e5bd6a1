#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# echelon-bench on ranks: its output is complete and consistent, it reports its limits, wrong use is one
# sentence.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
expect() {  # description, condition as a command
    if ! "${@:2}"; then
        echo "FAILED: $1"
        tail -n 5 "$folder/out" "$folder/err"
        failures=1
    fi
}
bench() {  # ranks, arguments
    local ranks=$1
    shift
    # MPICH spins while it waits; ranks may share a core.
    LD_PRELOAD=$TEST_YIELD $TEST_MPIEXEC "$ranks" bin/echelon-bench "$@" >"$folder/out" 2>"$folder/err" </dev/null
}

bench 4 --collectives allreduce,reduce,bcast --bytes 8,20K --repetitions 4 --root 2 \
    --recipes "binomial; leaders(G=2, binomial, native); ranks_unknown_below; auto" --json "$folder/no.json"
expect "an unknown algorithm is wrong use" test $? -eq 2
expect "it is named" grep -q "there is no algorithm or shape 'ranks_unknown_below'" "$folder/err"

bench 4 --collectives allreduce,reduce,bcast --bytes 8,20K --repetitions 4 --root 2 \
    --recipes "binomial; leaders(ranks=0+3;1-2, binomial, native); recursive_doubling; leaders(G=9, ring, ring); auto" \
    --json "$folder/r.json" --csv "$folder/r.csv"
expect "measuring succeeds" test $? -eq 0
python3 - "$folder" "$TEST_VERSION" <<'PYTHON' || failures=1
import csv, json, shlex, sys
folder, version = sys.argv[1:]
with open(folder + "/r.json") as file: written = json.load(file)
with open(folder + "/r.csv") as file: lines = list(csv.DictReader(file))
table = [line.split(maxsplit=9) for line in open(folder + "/out") if line.strip() and not line.startswith("#")]
machine, results, skipped = written["machine"], written["results"], written["skipped"]

wanted = {"host", "processor", "cores", "mpi", "echelon", "date", "ranks", "nodes", "layout", "simulated", "crowded", "start",
          "type", "op", "root", "repetitions", "command", "binding", "load", "governor"}
assert set(machine) == wanted, set(machine) ^ wanted
assert machine["ranks"] == 4 and machine["layout"] == "1x4" and machine["echelon"] == version and machine["root"] == 2, machine
for key in ("host", "processor", "cores", "mpi", "date", "nodes", "start"):
    assert machine[key], key

assert written["finished"] is True and "binomial; leaders(ranks=0+3;1-2, binomial, native); recursive_doubling; leaders(G=9, ring, ring); auto" in shlex.split(machine["command"]) and len(machine["binding"]) == 4 and machine["binding"][3][0].isdigit(), machine

# CSV lacked the clock, the load and the governor.
assert lines and all((line["start"], line["governor"]) == (machine["start"], machine["governor"]) for line in lines), lines[0]
assert all((float(line["load"]) if line["load"] else None) == machine["load"] and line["crowded"] == str(machine["crowded"]).lower() for line in lines), lines[0]

keys = ["collective", "bytes", "ranks", "recipe", "source", "correct", "repetitions", "calls_in_a_row", "median_s", "low_s", "high_s", "min_s",
        "p25_s", "p75_s", "p95_s", "max_s", "speedup", "speedup_low", "speedup_high", "samples_s"]
for result in results:
    assert list(result) == keys, result
    assert result["correct"] is True, result
    assert result["ranks"] == 4
    samples = result["samples_s"]
    assert len(samples) == result["repetitions"] == 4 and min(samples) == result["min_s"] and max(samples) == result["max_s"], result
    assert result["min_s"] <= result["p25_s"] <= result["median_s"] <= result["p75_s"] <= result["p95_s"] <= result["max_s"], result
    assert result["speedup_low"] <= result["speedup"] <= result["speedup_high"], result
    assert result["source"] != "library" or result["speedup"] == 1, result
    assert 0 < result["low_s"] <= result["median_s"] <= result["high_s"] < 60, result
    assert result["source"] == ("library" if result["recipe"] == "native" else "hint") or result["source"] == "built_in", result

def recipes(collective, size, source):
    return [r["recipe"] for r in results if (r["collective"], r["bytes"], r["source"]) == (collective, size, source)]
leaders = "leaders(ranks=0+3;1-2, binomial, native)"
for size in (8, 20480):
    for collective in ("allreduce", "reduce", "bcast"):
        assert recipes(collective, size, "library") == ["native"], (collective, size)
        assert len(recipes(collective, size, "built_in")) == 1, "what Echelon chooses by itself is measured too"
    assert recipes("allreduce", size, "hint") == ["binomial", leaders, "recursive_doubling"]
    assert recipes("reduce", size, "hint") == recipes("bcast", size, "hint") == ["binomial", leaders]
assert len(results) == 2 * (5 + 4 + 4), len(results)

assert len(skipped) == 2 * (1 + 2 + 2)
for one in skipped:
    assert list(one) == ["collective", "bytes", "recipe", "reason"], one
    assert one["recipe"] in ("recursive_doubling", "leaders(G=9, ring, ring)"), one
assert any("G=9" in one["reason"] and "4 ranks" in one["reason"] for one in skipped), skipped

assert [(r["collective"], str(r["bytes"]), r["recipe"]) for r in results] == \
       [(line["collective"], line["bytes"], line["recipe"]) for line in lines]
for result, line in zip(results, lines):
    assert abs(float(line["median_s"]) / result["median_s"] - 1) < 1e-6 and line["correct"] == "true", line
    pairs = list(zip(line["samples_s"].split(), result["samples_s"], strict=True))
    assert max(abs(float(a) / b - 1) for a, b in pairs) < 1e-6, line
    assert line["command"] == machine["command"] and line["simulated"] == "false", line
# The table has the results of each cell, the fastest first.
order = []
for result in results: order.append((order[-1][0] + 1 if order and result["source"] == "library" else order[-1][0] if order else 0, result))
for (cell, result), columns in zip(sorted(order, key=lambda one: (one[0], one[1]["median_s"])), table):
    assert columns[0] == str(result["bytes"]) and columns[8] == "yes", columns
    assert abs(float(columns[1]) - result["median_s"] * 1e6) <= 0.006, (columns, result)
    assert abs(float(columns[4]) - result["speedup"]) <= 0.006, (columns, result)
    assert columns[9].startswith(result["recipe"]), columns
assert len(table) == len(results)
PYTHON
expect "what was skipped is said once for each collective" test "$(grep -c 'skipped for' "$folder/err")" -eq 5

# A program stopped midway keeps its results. One stopped in its first size has described the machine, and
# keeps an older file.
echo before >"$folder/first.csv"
LD_PRELOAD=$TEST_YIELD $TEST_MPIEXEC 2 bin/echelon-bench --collectives allreduce --bytes 256M --repetitions 100000 --recipes ring --json "$folder/first.json" --csv "$folder/first.csv" >"$folder/out" 2>"$folder/err" </dev/null &
until [ -s "$folder/first.json" ] || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
kill $!
wait $!
expect "what is known before the first size is kept" python3 -c "import json, sys; written = json.load(open(sys.argv[1])); assert written['finished'] is False and written['results'] == [] and written['machine']['ranks'] == 2" "$folder/first.json"
expect "results that were there stay" grep -q before "$folder/first.csv"
LD_PRELOAD=$TEST_YIELD $TEST_MPIEXEC 2 bin/echelon-bench --collectives allreduce --bytes 8..1G --no-check --recipes ring --json "$folder/part.json" >"$folder/out" 2>"$folder/err" </dev/null &
until grep -q '"recipe"' "$folder/part.json" 2>/dev/null || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
kill $!
wait $!
expect "what was measured before is kept" python3 -c "import json, sys; written = json.load(open(sys.argv[1])); assert not written['finished'] and written['results']" "$folder/part.json"

for type in float double; do
    bench 3 --collectives allreduce,reduce --bytes 8,4000 --recipes "rabenseifner; lanes(G=2, ring, ring)" --type $type \
        --repetitions 2 --communicators 1 --json "$folder/$type.json"
    expect "$type sums round alike on all ranks" test $? -eq 0
    expect "$type sums were measured" test "$(grep -c '"correct": true' "$folder/$type.json")" -eq 12
done

bench 2 --collectives bcast --bytes 8 --recipes "binomial" --no-check --op max --repetitions 1 --time-budget 1
expect "other options are taken" test $? -eq 0

bench 4 --collectives all --bytes 8,1K --recipes "native; leaders(G=2, native, native); linear; recursive_doubling; ring" --root 1 --type double \
    --repetitions 1 --warm-up 0 --json "$folder/all.json"
expect "all collectives are measured, and right" test $? -eq 0
python3 - "$folder/all.json" <<'PYTHON' || failures=1
import json, sys
results = json.load(open(sys.argv[1]))["results"]
leaders = {(r["collective"], r["bytes"]) for r in results if r["recipe"].startswith("leaders") and r["correct"]}
blocks = {"reduce_scatter", "allgather", "gather", "scatter", "alltoall"}
# 8 bytes are one element on each of 4 ranks: 32.
wanted = {(name, size) for name in blocks for size in (32, 1024)} | {("barrier", 0)}
wanted |= {(name, size) for name in ("allreduce", "reduce", "bcast", "scan", "exscan") for size in (8, 1024)}
assert leaders == wanted, leaders ^ wanted
PYTHON

wrong() {  # sentence, arguments
    bench 2 "${@:2}"
    expect "wrong use exits with 2: ${*:2}" test $? -eq 2
    expect "wrong use is said in a sentence, once: $1" test "$(grep -c "$1" "$folder/err")" -eq 1
    expect "and in nothing else: ${*:2}" test "$(grep -c '' "$folder/out")" -eq 0
}
wrong "echelon-bench: --collectives: 'sum' is none of reduce, allreduce, bcast, barrier, .*exscan; see --help" --collectives sum
wrong "echelon-bench: --root 2: ranks are 0 to 1; see --help" --root 2
wrong "unrecognised option '--ranks'; see --help" --ranks 4
wrong "unrecognised option '--byts'; did you mean --bytes? See --help" --byts 8
wrong "column 5: unexpected" --recipes "ring, ring"
# An unwritable file is found before the work. No word is wrong, hence exit code 1, like for a full disk.
bench 2 --json "$folder/none/r.json"
expect "a file that cannot be written ends it with 1" test $? -eq 1
expect "in a sentence: $(cat "$folder/err")" grep -qx "echelon-bench: --json: $folder/none/r.json cannot be written: No such file or directory" "$folder/err"
expect "before the work" test "$(grep -c '' "$folder/out")" -eq 0

# For ranks that share processors, --crowded alone makes waiting ranks yield (in Open MPI by a parameter of
# its own).
if [ "$TEST_MPI" = mpich ] && [[ $TEST_YIELD == *yield* && $TEST_YIELD != *asan* ]]; then  # which wants to be loaded first
    LD_DEBUG=files LD_DEBUG_OUTPUT=$folder/loaded $TEST_MPIEXEC 2 bin/echelon-bench --crowded --collectives bcast --bytes 8 --recipes binomial \
        --repetitions 1 >"$folder/out" 2>"$folder/err" </dev/null
    expect "--crowded measures" test $? -eq 0
    expect "--crowded lets both ranks yield" test "$(grep -l "calling init: .*/libyield.so" "$folder"/loaded.* | wc -l)" -eq 2
fi

bench 1 --bytes 8
expect "one rank is wrong use" test $? -eq 2
expect "one rank is told how to start more" grep -q "mpiexec -n 4" "$folder/err"
bench 1 --help
expect "help is no failure" test $? -eq 0
expect "help names the exit codes" grep -q "Exit codes: 0, 1" "$folder/out"
bench 1 --version
expect "the version is told" grep -q "^echelon-bench $TEST_VERSION$" "$folder/out"

exit "$failures"
