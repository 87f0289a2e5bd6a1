#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a simulated cluster, with exact times, the choice after calibration is as good as promised, and programs
# see the same, trials included.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for n in 0 1 2 3; do for _ in 1 2 3 4; do echo "node-$n"; done; done >"$folder/hosts"
"$TEST_SOURCE/scripts/smpirun" -n 16 --costs measured -platform "$TEST_SOURCE/bench/platforms/fat_nodes.xml" -hostfile "$folder/hosts" \
    bin/echelon-bench --regret --no-check --bytes 64,3000,64K --calibration-bytes 8..128K \
    --parts all,strided,row --json "$folder/r.json" \
    >"$folder/out" 2>"$folder/err" || { tail "$folder/out" "$folder/err"; exit 1; }
python3 - "$folder/r.json" <<'PYTHON' || exit 1
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
# The recipe was decided for the class of this size, in which another recipe of equal time may come first.
assert all(abs(cell["seconds"] / cell["others"]["estimator"]["seconds"] - 1) < 0.02 for cell in cells if cell["part"] == "all"), "no trials here: what runs is what was decided"
# The model itself has to know the machine, not only the measurements on it.
whole_cells = [cell for cell in cells if cell["part"] == "all"]
lost = [cell["others"]["uncorrected"]["seconds"] / cell["best_seconds"] - 1 for cell in whole_cells if cell["others"]["uncorrected"]["seconds"] > 0]
assert sum(lost) / len(lost) < 0.5, lost
PYTHON

cp "$folder/hosts" "$folder/fat_nodes-4x4.hosts"
cp "$folder/r.json" "$folder/fat_nodes-4x4.json"
python3 -B - "$TEST_SOURCE/bench/studies" "$folder" "$PWD" <<'PYTHON' || exit 1
import pathlib, sys
sys.path.insert(0, sys.argv[1])
import regret_trials
keep, build = map(pathlib.Path, sys.argv[2:])
# The test is about the order of decisions, not about their time on this machine.
trials = regret_trials.Trials(keep, "fat_nodes:4x4", build, thinking=1e-6)
assert not list(trials.cells(lambda: False)), "nothing may run"
cells = list(trials.cells(lambda: True))
for cell in cells: print(cell["part"], cell["ranks"], cell["collective"], cell["bytes"], "lost %.3f, late %.3f %.3f" % (cell["lost"], *cell["late"]))
assert len(cells) == 27
assert {cell["part"]: cell["ranks"] for cell in cells} == {"all": 16, "strided": 4, "row": 4}
# For a layout without earlier decisions, no rank asks before calls have paid for the question.
late = [max(cell["late"]) for cell in cells]
# The share is 2 %. A first look may cost more than was expected, and messages come on top: later calls pay for both.
assert max(late) <= 0.035, late
# Machine and recipe are equal, the program differs: a call alone takes the time that the study has measured.
same = [cell for cell in cells if abs(cell["lost"] - cell["regret"]) < 0.01]
assert len(same) > 20, len(same)
whole = [cell["lost"] for cell in cells if cell["part"] == "all"]
assert sum(whole) / len(whole) < 0.02, whole
(keep / "fat_nodes-4x4-trials/row-20.csv").unlink()
assert {cell["part"] for cell in trials.cells(lambda: False)} == {"all", "strided"}, "what is kept is not run again, what is not may not be"
text = "\n".join(regret_trials.tables({"fat_nodes:4x4": cells}, str))
assert "| together | 27 |" in text, text
PYTHON
# The profile has no barriers: no rank decides about some twenty of them, like with nothing set. It took
# longer than 200 short calls.
said=$(ECHELON_SUMMARY=text ECHELON_PROFILE=$folder/fat_nodes-4x4-trials/profile.json "$TEST_SOURCE/scripts/smpirun" -n 16 --costs measured \
    -platform "$TEST_SOURCE/bench/platforms/fat_nodes.xml" -hostfile "$folder/hosts" bin/series 100 0 reduce:64 2>&1)
grep -q '^ *barrier .* 10 .* built_in  *native' <<<"$said" && grep -q '^ *reduce .* model ' <<<"$said" || { echo "a barrier was thought about: $said"; exit 1; }
