#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The studies of the papers' figures, on few ranks: times equal theory, the pages report it, and every picture
# exists and names its kind.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
[ -x "$TEST_SOURCE/build/release/bin/echelon" ] || { echo "skipped: scripts/build release echelon_tool"; exit 77; }
cmake --build "$TEST_BUILD" --target studies >"$folder/built" 2>&1 || { tail -20 "$folder/built"; fail "the target studies does not build"; }

# study page option...: the page, whose pictures are all there
study() {
    local name=$1 page=$2 pictures
    shift 2
    "$TEST_SOURCE/bench/studies/study-$name" --keep "$folder/kept" --output "$folder" "$@" >"$folder/said" 2>&1 || { cat "$folder/said"; fail "study-$name"; }
    pictures=$(sed -n 's/^!\[.*](\(.*\))$/\1/p' "$folder/$page")
    [ -n "$pictures" ] || fail "$page shows no picture"
    for picture in $pictures; do grep -q simulated "$folder/$picture" || fail "$picture does not say that it is simulated"; done
    grep -q "commit $(git -C "$TEST_SOURCE" rev-parse --short HEAD)" "$folder/$page" || fail "$page does not name its commit"
}

study groups groups.md --ranks 16
study protocols protocols.md --ranks 4,6 --many 3,12
study models models.md --ranks 2,4,6 --reduced 4
study multiplying multiplying.md --ranks 16
# A page is drawn again from its data without change, and without runs.
mv "$folder/multiplying.md" "$folder/first.md"
rm "$folder"/multiplying*.svg
study multiplying multiplying.md --redraw --keep "$folder/none"
cmp -s "$folder/first.md" "$folder/multiplying.md" || { diff "$folder/first.md" "$folder/multiplying.md"; fail "study-multiplying --redraw changes its page"; }
[ ! -e "$folder/none" ] || fail "study-multiplying --redraw runs something"
# 32 ranks, two a node: near partners keep bytes inside the nodes.
"$TEST_SOURCE/bench/studies/study-locality" --layouts 1 --keep "$folder/kept" --output "$folder" >"$folder/said" 2>&1 || { cat "$folder/said"; fail "study-locality"; }
grep -qE '^\| allgather, 64K and 1M \| `circulant` \| 0\.[0-9]+ \| 0\.[0-9]+ \| [0-9.]+, [0-9.]+ \| -, - \|$' "$folder/locality.md" || { cat "$folder/locality.md"; fail "locality.md"; }
# A program's output is put in its place on a page: other numbers, and all other words unchanged.
sed '/^| \(64\|256\) | /d' "$TEST_SOURCE/docs/results/cache.md" >"$folder/before.md"
sed 's/^| 16 | .*/| 16 | 0 | 0 | 0 | 0 | 9 |/' "$folder/before.md" >"$folder/cache.md"
"$TEST_SOURCE/bench/studies/study-printed" split --output "$folder" >"$folder/said" 2>&1 || { cat "$folder/said"; fail "study-printed split"; }
grep -qE '^\| 16 \| 25\.[0-9] \| [0-9.]+ \| [0-9.]+ \| 4[0-9]\.[0-9] \| 0 \|$' "$folder/cache.md" || { grep '^| 16' "$folder/cache.md"; fail "a reduce of 1 KB on 16 ranks"; }
[ "$(diff "$folder/before.md" "$folder/cache.md" | grep -c '^>')" -le 2 ] || fail "study-printed changes more than the row and the commit"
sed -i 's/^Figures of/Times of/' "$folder/cache.md"
"$TEST_SOURCE/bench/studies/study-printed" split --output "$folder" 2>"$folder/said" && fail "study-printed finds a place that is not there"
grep -q "it wants one" "$folder/said" || { cat "$folder/said"; fail "study-printed does not say what is missing"; }
python3 - "$folder" <<'PYTHON' || fail "what theory says"
import json, pathlib, re, sys
folder = pathlib.Path(sys.argv[1])

def times(pattern):
    [file] = (folder / "kept").glob(pattern)
    return {(row["bytes"], row["recipe"]): row["median_s"] for row in json.loads(file.read_text())["results"]}

# Two steps of recursive doubling, 10 us and 1 ns a byte and for 16 more, 0.3 ns to combine; the tree takes
# twice the messages, of few bytes. Two steps of halving, two of doubling.
found, size = times("hockney-4x1-allreduce-*"), 1 << 20
message = lambda part: 10e-6 + (part + 16) * 1e-9
near = lambda value, expected: abs(value / expected - 1) < 1e-3
assert near(found[size, "recursive_doubling"], 2 * (message(size) + 0.3e-9 * size)), found
assert near(found[8, "reduce_bcast"], 4 * message(8) + 2 * 0.3e-9 * 8), found
assert near(found[size, "rabenseifner"], 2 * (message(size / 2) + message(size / 4)) + 0.3e-9 * 0.75 * size), found
page = (folder / "protocols.md").read_text()
assert re.search(r"recursive doubling is fastest to 32 bytes \| 4 of 4 cells", page), page
assert re.search(r"halving & doubling .* powers of two.* \| 3 of 3 cells", page), page
# The reduces on 12 ranks use native trees, which send all bytes at each step: they lose against halved
# vectors from 256 KB on.
reduces = re.search(r"\| reduce \| 12 \| ([0-9.]+) .*? \| ([0-9.]+) .*? \| ([0-9.]+) (.*?) \|", page)
assert float(reduces.group(3)) > 1.5 and reduces.group(4) in ("binary blocks", "ring"), page
assert "| reduce, more than 8 ranks, from 2 MB: 1.14 to 2.01 | " + reduces.group(3) + " to " + reduces.group(3) in page, page

# The flat tree gains by groups, at sqrt(p) if nodes have as many ranks; the binomial tree, which has these
# groups by itself, gains nothing.
page = (folder / "groups.md").read_text()
row = lambda letters: [(float(ratio), int(groups)) for ratio, groups in re.findall(r"([0-9.]+) \((\d+)\)", page.split(f"| {letters} |")[1].splitlines()[0].split("gain", 1)[1])]
assert all(ratio > 1.5 and groups == 4 for ratio, groups in row("LN")), row("LN")
assert all(ratio < 1.05 for ratio, _ in row("BL")), row("BL")
found = times("gige-16x4-reduce-16K-*")
assert found[16384, "flat_tree"] > 2 * found[16384, "leaders(G=4, flat_tree, flat_tree)"]

# These ranks follow Hockney's model: formula and replay are exact if the steps are counted right; a double
# ring ends after 2 p - 1 of them.
page = (folder / "models.md").read_text()
off = lambda name, place: float(re.search(rf"\| {name}, .*?\| (.*) \|", page).group(1).split(" | ")[place].split()[0])
assert off("Bruck", 0) <= 1 and off("Bruck", 3) <= 1, page
assert off("flat tree", 3) <= 1 and off("double ring", 3) <= 1, page
assert 10 < off("double ring", 0) < 34 and off("flat tree", 1) > 30, page
assert off("pairwise exchange", 0) <= 1, page

# On a switch without cabinets one rank's sends to many follow the postal model: a latency, then the bytes of
# each. In the model the paper's schedules gain the time of stages of its formula.
data = json.loads((folder / "multiplying.json").read_text())
fit, sent = data["infiniband"]["multicast_fit"], data["infiniband"]["multicast"]
assert len(sent) == 24 and all(near(fit["alpha_p"] + row["peers"] * (fit["alpha_r"] + row["bytes"] * fit["beta"]), row["simulated_s"]) for row in sent), fit
assert near(fit["beta"], data["infiniband"]["model"]["beta"]), fit
rows = {row["ranks"]: row for row in data["table_2"]}
stage = lambda radix: 1.34e-6 + (radix - 1) * 0.34e-6
assert near(rows[64]["replay_s"], 2 * stage(8)) and near(rows[64]["recursive_doubling_s"], 6 * stage(2)), rows[64]
assert rows[6]["recursive_doubling_s"] > 3 * stage(2), "two stages of doubling, and two more for the ranks beyond four"
assert rows[64]["best"] == "a4-a4-a4" and len(rows) == 11, rows
PYTHON
