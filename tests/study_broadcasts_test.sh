#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The 2005 paper's broadcast formulas equal the replayed schedules if nothing overlaps, and the page of
# decisions agrees with theory.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
[ -x "$TEST_SOURCE/build/release/bin/echelon" ] || { echo "skipped: scripts/build release echelon_tool"; exit 77; }

"$TEST_SOURCE/bench/studies/study-broadcasts" --ranks 5,8,32 --output "$folder" >"$folder/said" 2>&1 || { cat "$folder/said"; fail "study-broadcasts"; }
# Few or wrong numbers of ranks ended in a traceback.
for wrong in 8 3,4 1,16 x ''; do
    said=$("$TEST_SOURCE/bench/studies/study-broadcasts" --ranks "$wrong" --output "$folder/none" 2>&1) && fail "--ranks '$wrong' is taken"
    [[ "$said" = *"argument --ranks: '$wrong': expected numbers from 2 on, one of them 16 or more"* ]] || fail "--ranks '$wrong': $said"
done
"$TEST_SOURCE/bench/studies/study-broadcasts" --ranks 2,16 --output "$folder/few" >/dev/null 2>&1 || fail "two numbers of ranks"
page=$folder/broadcasts.md
for picture in formulas replay penalties; do
    grep -q "broadcasts_$picture.svg" "$page" || fail "the page does not show $picture"
    grep -q "model: broadcast on Frodo" "$folder/broadcasts_$picture.svg" || fail "$picture does not say that it is a model"
done
grep -q "commit $(git -C "$TEST_SOURCE" rev-parse --short HEAD)" "$page" || fail "the page does not name its commit"
python3 - "$TEST_SOURCE/bench/studies" "$page" <<'PYTHON' || fail "what theory says"
import pathlib, re, sys
sys.dont_write_bytecode = True
sys.path.append(sys.argv[1])
import formulas_2005 as formulas
from study import replayed

x = formulas.Parameters(L=61.22e-6, o=8.2e-6, g=23.8e-6, G=0.084e-6)
networks = {"Hockney": "hockney:alpha=77.62us,beta=84ns", "LogGP": "loggp:L=61.22us,o=8.2us,g=23.8us,G=84ns"}
size, segment, p = 8192, 1024, 5
for recipe, form, n in (("flat_tree", formulas.bcast_linear, 1), ("chain(seg=1K)", formulas.bcast_pipeline, 8), ("chain(seg=64M)", formulas.bcast_pipeline, 1)):
    told = form(x, p, n, size / n)
    for model, network in networks.items():
        real = replayed(network, "bcast", p, size, [recipe], element=1)[recipe]
        assert abs(told[model] / real - 1) < 1e-5, (recipe, model, told[model], real)
    # g(m) counts a byte more than LogGP's tail.
    assert abs(told["PLogP"] / told["LogGP"] - 1) < 2e-3, (recipe, told)
# In no model a binary tree with an incomplete lowest level is slower than its formula.
for recipe, form in (("binary(seg=1K)", formulas.bcast_binary), ("split_binary(seg=1K)", formulas.bcast_split_binary)):
    for model, network in networks.items():
        told, real = form(x, 8, 8, 1024)[model], replayed(network, "bcast", 8, size, [recipe], element=1)[recipe]
        assert 0.7 < real / told < 1.0001, (recipe, model, told, real)

page = pathlib.Path(sys.argv[2]).read_text()
held = lambda words: re.search(re.escape(words) + r".*?\| (\d+) of (\d+) cells", page).groups()
assert held("Hockney takes the binomial tree for short messages") == ("6", "6"), page
assert held("and the pipeline in 8 KB for really long ones") == ("6", "6"), page
assert held("and alone sees that the binary tree in 1 KB") == ("0", "30"), page
row = re.search(r"\| Frodo \| (.*) \|", page).group(1).split(" | ")
mean = [float(cell.split()[0]) for cell in row]
assert mean[4] == 0 and 0 < mean[1] < mean[0], row
# A latency of 77.62 us against gaps of 23.8: 30 of them exceed the four latencies that a binomial tree of 32
# has beyond one.
assert "on 17 nodes and below 10 us on 32" in page, page
PYTHON
