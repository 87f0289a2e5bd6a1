#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page of bench/studies/study-cluster repeats the runs' figures: medians and spread of runs, slower classes,
# the words above them.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
expect() {
    grep -qF -- "$2" "$folder/${3:-page.md}" || { echo "FAILED: $1: no '$2'"; failures=1; }
}
study() {
    python3 "$TEST_SOURCE/bench/studies/study-cluster" --kept --keep "$folder" --output "$folder/page.md" --nodes 2 --each 2 --pairs 6 --seconds 1 --mpi mpich \
        --classes "${classes:-allreduce:8,allreduce:2048,reduce:8,reduce:2048,bcast:8,bcast:2048}" "$@" >"$folder/output" 2>&1
}

study && { echo "FAILED: a page of no run"; exit 1; }
# At the end a recipe takes half of native time, nothing set as long as native. Six pairs of a class: in
# blocks all but first calls of an allreduce take native time; in turns 2 KB take twice as long in a run,
# thrice in two.
python3 - "$folder" <<'PYTHON'
import json, sys
for run in range(3):
    for mapping, slow in (("block", 1), ("rr", 2 + (run > 0))):
        pairs = {f"{what} {size}": [[0.010 * (slow if size > 8 else 1), 0.010] for _ in range(6)] for what in ("allreduce", "reduce", "bcast") for size in (8, 2048)}
        pairs["allreduce 8"][0][0] *= 4 + run
        pairs["scan 8"] = pairs["bcast 8"]
        recipes = {label: {"native": 5, "ring": 1} for label in pairs}
        rounds = {label: [{"nothing set": 0.010, "native": 0.010, "ring": 0.005, "chain": 0.020}] * 3 for label in pairs if label != "bcast 8"}
        json.dump({"commit": f"abc{run}", "date": "2026-01-01", "beside": f"run of {mapping}", "pairs": pairs, "recipes": recipes} | ({"rounds": rounds} if mapping == "block" else {}),
                  open(f"{sys.argv[1]}/2x2-5ms-20M-6-1s-mpich-{mapping}-{run}.json", "w"))
PYTHON
printf 'all is well\n<!-- below: bench/studies/study-cluster -->\nolder\n' >"$folder/page.md"
study --runs 4 || { cat "$folder/output"; exit 1; }
tables=whole/page.md
expect "commits" "Figures of commits abc0, abc1, abc2, 2026-01-01."
expect "words above the figures" "all is well"
grep -q older "$folder/page.md" && { echo "FAILED: older figures stay"; failures=1; }
expect "the other table" "## MPICH, round-robin" $tables
expect "a first call" "| allreduce 8 B | 6 | 10.0 (10.0 - 10.0) | 5.00 (4.00 - 6.00) | 1.67 (1.50 - 1.83) |" $tables
expect "all calls" "| reduce 2 KB | 6 | 10.0 (10.0 - 10.0) | 3.00 (2.00 - 3.00) | 3.00 (2.00 - 3.00) | 2." $tables
expect "recipes" "| \`native\` 15 of 18 |" $tables
expect "the best recipe" "| \`native\` 15 of 18 | \`ring\` | 2.00 | 2.00 - 2.00 |" $tables
expect "what a run was made beside" "- run 2: run of rr" $tables
expect "a place without slower classes" "| MPICH, block | 1.31 | 1.09 | 1.00 | 1.67, allreduce of 8 B | "
expect "the end over the best recipe" " | 2.00 |"
expect "slower classes" "| MPICH, round-robin | 2.26 | 1.89 | 1.73 | 3.00, allreduce of 2 KB | "
expect "a class everywhere" "| reduce 2 KB | 1.00 (1.00–1.00), 1.00 | 3.00 (2."
[ "$(wc -l <"$folder/whole/page_recipes.csv")" -eq $((1 + 3 * 6 * 3 * 4)) ] || { echo "FAILED: $(wc -l <"$folder/whole/page_recipes.csv") lines of rounds"; failures=1; }
[ "$(wc -l <"$folder/whole/page.csv")" -eq $((1 + 3 * 2 * 7 * 6)) ] || { echo "FAILED: $(wc -l <"$folder/whole/page.csv") lines of times"; failures=1; }

classes=allreduce:8,allreduce:2048 study --runs 3 --map block --recipes "ring; chain" || { cat "$folder/output"; exit 1; }
expect "a recipe over native and the last one" "| allreduce 2 KB | 9 | 10.0 | \`ring\` | 0.50 | 0.50 - 0.50 | 0.25 | 0.25 - 0.25 |"
expect "the last one" "| allreduce 2 KB | 9 | 10.0 | \`chain\` | 2.00 | 2.00 - 2.00 |  |  |"
[ "$failures" -eq 0 ] && echo passed || cat "$folder/page.md"
exit "$failures"
