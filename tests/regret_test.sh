#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a simulated cluster, where times are exact, what is chosen after calibration is as good as promised.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for n in 0 1 2 3; do for _ in 1 2 3 4; do echo "node-$n"; done; done >"$folder/hosts"
"$TEST_SOURCE/scripts/smpirun" -n 16 -platform "$TEST_SOURCE/bench/platforms/fat_nodes.xml" -hostfile "$folder/hosts" \
    bin/echelon-bench --regret --no-check --bytes 64,3000,64K --calibration-bytes 8..128K \
    --parts all,strided,row --json "$folder/r.json" \
    >"$folder/out" 2>"$folder/err" || { tail "$folder/out" "$folder/err"; exit 1; }
python3 - "$folder/r.json" <<'PYTHON'
import json, sys
regret = json.load(open(sys.argv[1]))["regret"]
cells = regret["cells"]
for cell in cells: print(cell["part"], cell["collective"], cell["bytes"], cell["chosen"], "%.1f %%" % (100 * cell["regret"]))
assert [(cell["part"], cell["ranks"]) for cell in cells] == 9 * [("all", 16)] + 9 * [("strided", 4)] + 9 * [("row", 4)]
assert all(cell["recipes"] > 20 for cell in cells if cell["part"] == "all")
assert all(cell["best_seconds"] <= min(cell["seconds"], cell["native_seconds"]) for cell in cells)
assert abs(regret["mean"] - sum(c["regret"] for c in cells) / len(cells)) < 1e-12
assert regret["max"] == max(c["regret"] for c in cells)
whole = regret["by_part"]["all"]
assert whole["mean"] <= 0.02, whole
assert whole["p95"] <= 0.08, whole
assert whole["worst_against_native"] <= 0.02, whole
by_choice = regret["by_choice"]
assert set(by_choice) >= {"estimator", "corrected", "uncorrected", "hockney", "sqrt", "native"}
# What runs was decided for the class of such sizes, where another recipe of the same time may stand first.
assert all(abs(cell["seconds"] / cell["others"]["estimator"]["seconds"] - 1) < 0.01 for cell in cells if cell["part"] == "all"), "no trials here: what runs is what was decided"
# The model itself has to know the machine, not only what was measured on it.
whole_cells = [cell for cell in cells if cell["part"] == "all"]
lost = [cell["others"]["uncorrected"]["seconds"] / cell["best_seconds"] - 1 for cell in whole_cells if cell["others"]["uncorrected"]["seconds"] > 0]
assert sum(lost) / len(lost) < 0.5, lost
PYTHON
