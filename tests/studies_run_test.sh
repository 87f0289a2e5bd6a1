#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each program of bench/studies builds, runs in its smallest form, and prints the contents of its page: the
# heads of the page's tables, or the lines that the page's script reads.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
cmake --build "$TEST_BUILD" --target studies echelon-bench >"$folder/built" 2>&1 ||
    { tail -20 "$folder/built"; fail "the target studies does not build"; }

called=" "
alone() {  # PROGRAM ARGUMENT...: prints to $folder/printed
    local program=$1
    shift
    called+="$program "
    "bin/$program" "$@" >"$folder/printed" 2>"$folder/errors" </dev/null ||
        { tail -5 "$folder/printed" "$folder/errors"; fail "$program $*"; }
}
on_ranks() {  # COUNT PROGRAM ARGUMENT...: prints to $folder/printed
    local count=$1 program=$2
    shift 2
    called+="$program "
    # shellcheck disable=SC2086  # the launcher is several words
    LD_PRELOAD=$TEST_YIELD $TEST_MPIEXEC "$count" "bin/$program" "$@" >"$folder/printed" 2>"$folder/errors" </dev/null ||
        { tail -5 "$folder/printed" "$folder/errors"; fail "$program $*"; }
}
heads() {  # PAGE: the heads of all printed tables are on it
    local head count=0
    while IFS= read -r head; do
        count=$((count + 1))
        grep -qxF -- "$head" "$TEST_SOURCE/docs/results/$1" || fail "docs/results/$1 has no table with the head $head"
    done < <(grep -B1 '^|--' "$folder/printed" | grep '^| ')
    [ "$count" -gt 0 ] || { cat "$folder/printed"; fail "no table for docs/results/$1"; }
}

alone trial_study 1 1
heads trial.md
alone study_supercomputers "$TEST_SOURCE/bench/data/supercomputers.csv" 8
sed -i '/^| collective | algorithm /,$d' "$folder/printed"  # names go to build/results
heads supercomputers.md
for kind in drawn sites; do
    alone study_predictor "$kind" 1 1
    heads predictor.md
done

# The other studies of the choice read results of echelon-bench.
on_ranks 2 echelon-bench --regret --no-check --collectives reduce --bytes 64 --calibration-bytes 64,1K --calibration 2 \
    --repetitions 1 --json "$folder/regret.json"
on_ranks 2 echelon-bench --recipes all --no-check --collectives reduce --bytes 64 --repetitions 3 --csv "$folder/cluster.csv"
printf 'node-0\nnode-0\n' >"$folder/cluster.hosts"
python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin)["profile"]))' <"$folder/regret.json" >"$folder/cluster.json"
alone study_predictor measured "$folder/cluster"
sed -i '1,/^$/d' "$folder/printed"  # clusters go to build/results
heads predictor.md
alone study_prior "$folder/regret.json"
heads predictor.md
alone study_choice --policies "$folder/regret.json"
grep -qE '/regret.json: [01] cells:.* [01] unknown;' "$folder/printed" && grep -q 'another recipe in .* of 1 cells' "$folder/printed" ||
    { cat "$folder/printed"; fail "study_choice prints something else"; }

on_ranks 4 bench_split --repetitions 1
mv "$folder/printed" "$folder/split"
if [ -x bin/bench_nanoseconds ]; then
    on_ranks 4 bench_nanoseconds --benchmark_format=json --benchmark_min_time=0.001
    mv "$folder/printed" "$folder/nanoseconds"
else
    echo "left out: bench_nanoseconds, without Google Benchmark"
    called+="bench_nanoseconds "
fi
on_ranks 2 bounds 1 65536
python3 -B - "$TEST_SOURCE" "$folder" <<'PYTHON' || fail "the script of a page does not read its program"
import importlib.machinery, importlib.util, pathlib, re, sys
source, folder = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(source / "bench/studies"))

def script(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(source / "bench/studies" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module

study, page = script("study-printed"), (source / "docs/results/cache.md").read_text()
study.machine = lambda: "a machine"
for name in ("split", "nanoseconds"):
    if (folder / name).exists():
        study.printed = lambda *words: (folder / name).read_text()
        page = getattr(study, name)(page)
assert re.search(r"^\| 16 \|( [\d.]+ \|){4} 0 \|$", page, re.M), page
study = script("study-one-node")
study.BOUND_SIZES, study.output = (65536,), lambda *words: (folder / "printed").read_text()
row = study.bounds("MPICH", 1)
assert re.fullmatch(r"\| MPICH \| [\d.]+ us \| [\d.]+ hand-overs \| \d+ %, \d+ % \|", row), row
PYTHON

for file in "$TEST_SOURCE"/bench/studies/*.c "$TEST_SOURCE"/bench/studies/*.cpp; do
    name=$(basename "${file%.c*}")
    [[ $called =~ [\ _]"$name "  ]] || fail "$name is not called"
done
