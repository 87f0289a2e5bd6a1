#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# echelon compare: the lower bounds equal theory; the page repeats the runs' figures, losses and omissions; no
# run is made twice. A program with known times plays the simulator (compare_peers_smpi_test.sh has the real
# one).
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
fail() {
    echo "FAILED: $1"
    failures=1
}

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TEST_SOURCE/apps/compare python3 - "$TEST_SOURCE/bench/platforms" <<'PYTHON' || fail "the bounds"
import itertools, math, pathlib, sys
import bounds
near = lambda one, other: math.isclose(one, other, rel_tol=1e-9)
read = lambda name: bounds.read_network((pathlib.Path(sys.argv[1]) / f"{name}.xml").read_text())

# Two links of 5 us; four cabinets' cards, 22.5 us twice; a torus has neighbours one cable away, and six
# cables.
hockney = read("hockney")
assert near(hockney.latency, 10e-6) and hockney.bandwidth == 1e9 and hockney.nodes == 1024
assert near(read("gige").latency, 45e-6) and read("gige").nodes == 144 and read("gige").bandwidth == 117.5e6 and near(read("gige").inside_latency, 0.5e-6)
assert near(read("torus").latency, 0.4e-6) and read("torus").bandwidth == 30e9
for file in pathlib.Path(sys.argv[1]).glob("*.xml"):
    assert bounds.read_network(file.read_text()).nodes >= 32, file

# Without latency a tree doubles; with a latency of one gap it grows by Fibonacci's numbers; without a gap all
# hear at once.
assert [bounds.tree_time(nodes, 0, 1) for nodes in (1, 2, 3, 4, 5, 8, 9, 1024)] == [0, 1, 2, 2, 3, 3, 4, 10]
assert [bounds.tree_time(nodes, 1, 1) for nodes in (2, 3, 4, 5, 6, 8, 9, 13, 14)] == [2, 3, 4, 4, 5, 5, 6, 6, 7]
assert bounds.tree_time(500, 7, 0) == 7
# It equals the best of all trees, tried one by one in each order of messages.
def best(nodes, latency, gap):
    def grow(told):  # time and messages sent by each informed node
        if len(told) == nodes:
            return max(when for when, _ in told)
        times = []
        for i, (when, sent) in enumerate(told):
            others = told[:i] + ((when, sent + 1),) + told[i + 1:]
            times.append(grow(others + ((when + latency + (sent + 1) * gap, 0),)))
        return min(times)
    return grow(((0, 0),))
for nodes, latency, gap in itertools.product((2, 3, 4, 5, 6), (0, 1, 2.5, 6), (1, 2)):
    assert bounds.tree_time(nodes, latency, gap) == best(nodes, latency, gap), (nodes, latency, gap)

assert bounds.ranks_of_nodes(20, 8, "block") == [8, 8, 4] and bounds.ranks_of_nodes(20, 8, "rr") == [7, 7, 6]
through = lambda collective, sizes: bounds.card_bytes(collective, 1200, sizes)
assert through("bcast", [1] * 4) == through("reduce", [3] * 4) == 1200
assert through("allreduce", [1] * 4) == 1800 and through("allreduce", [6, 6]) == 1200
assert through("allgather", [1] * 4) == through("reduce_scatter", [1] * 4) == through("gather", [1] * 4) == through("scatter", [1] * 4) == through("alltoall", [1] * 4) == 900
assert through("alltoall", [3] * 4) == 2700 and through("allgather", [8, 8, 4]) == 960 and through("gather", [8, 8, 4]) == 720
assert through("allreduce", [20]) == 0 and through("scan", [3] * 4) == through("exscan", [1] * 4) == 1200 and through("barrier", [1] * 4) == 0

# Rows known to be optimal there take as long: recursive doubling on two ranks; all ranks to the root; halving
# and doubling within its second latency.
bound = lambda collective, size, ranks, gamma=0.0: bounds.lower_bound(collective, size, [1] * ranks, hockney, gamma)
assert near(bound("allreduce", 8, 2), 10e-6 + 24e-9)
assert near(bound("gather", 1 << 20, 16), 10e-6 + ((1 << 20) * 15 / 16 + 16) * 1e-9)
assert near(bound("allreduce", 1 << 20, 16), 10e-6 + (2 * (1 << 20) * 15 / 16 + 16) * 1e-9)
assert near(bound("bcast", 1 << 20, 3), 20e-6 + (1 << 20) * 1e-9 - 5e-6) and near(bound("bcast", 1000, 3), 10e-6 + 2000e-9)
assert near(bound("reduce", 1 << 20, 2, gamma=3e-9), 10e-6 + 1.5e-9 * (1 << 20))
assert near(bound("exscan", 1 << 20, 2, gamma=3e-9), 10e-6 + (1 << 20) * 1e-9 + 16e-9) and near(bound("scan", 1 << 20, 2, gamma=3e-9), 10e-6 + 1.5e-9 * (1 << 20))
assert near(bound("barrier", 0, 4), 10e-6 + 48e-9) and bound("barrier", 0, 1) == 0
assert bound("allreduce", 8, 1) == 0 and bounds.lower_bound("bcast", 8, [8], read("fattree").free(), 0) == read("fattree").inside_latency

# Messages that cost processor time: the bound is the best of all trees where each message takes its sender,
# the way and its receiver; a node of several ranks sends as much at once. Free messages leave the old bounds.
def best_of_ranks(nodes, send, receive, way, inside):
    def grow(told):  # of each rank: when it is free
        if len(told) == len(nodes):
            return max(arrived for _, arrived in told.values())
        times = []
        for one, (free, arrived) in told.items():
            for other in range(len(nodes)):
                if other not in told:
                    sent = free + send
                    came = sent + (inside if nodes[one] == nodes[other] else way) + receive
                    times.append(grow(told | {one: (sent, arrived), other: (came, came)}))
        return min(times)
    return grow({0: (0.0, 0.0)})
of = lambda once, byte=0.0: bounds.Processor((((0, once, byte),),))
equal = 0
for nodes, send, receive, way, inside in itertools.product(((0, 1), (0, 1, 2, 3), (0, 1, 2, 3, 4), (0, 0, 1, 1), (0, 0, 0, 1), (0, 0, 1, 2, 2)), (1.0, 3.0), (1.0, 2.0), (2.0, 7.0), (1.0,)):
    network = bounds.Network(way, 1e30, inside, 1e30, 9, of(send), of(receive))
    sizes = [nodes.count(node) for node in sorted(set(nodes))]
    down, up = best_of_ranks(nodes, send, receive, way, inside), best_of_ranks(nodes, receive, send, way, inside)
    for collective, least in (("bcast", down), ("reduce", up), ("allreduce", max(down, up)), ("barrier", max(down, up))):
        found = bounds.lower_bound(collective, 8, sizes, network, 0)
        assert found <= least + 1e-9, (collective, nodes, send, receive, way, found, least)
        if max(sizes) == 1 and collective in ("bcast", "reduce"):
            assert near(found, least), (collective, nodes, found, least)
            equal += 1
    assert near(bounds.lower_bound("bcast", 8, sizes, network.free(), 0), way)
assert equal == 48
costly = bounds.Network(10.0, 1.0, 1.0, 1.0, 9, of(1.0, 0.5), of(2.0))
processors = lambda collective: bounds.processor_bound(collective, 80, [1] * 8, costly, 0)
assert near(processors("scatter"), 70 * (1 / 80 + 0.5) + 10 + 2) and near(processors("alltoall"), 70 * (1 / 640 + 0.5) + 70 * 2 / 640)
# What a message costs is the least of its tables, by its length: a long one may be free, but takes time to come.
table = bounds.Processor((((0, 4.0, 1.0), (100, 0.0, 0.0)), ((0, 3.0, 2.0),)))
assert table.least(50) == 3.0 and table.least(100) == 0 and near(table.carrying(50, 50), 54) and near(table.carrying(50, 25), 58) and table.jumps() == {100}
assert near(bounds.processor_bound("bcast", 1000, [1, 1], bounds.Network(5.0, 1.0, 0.0, 0.0, 2, table, table), 0), 1005.0)
assert read("infiniband").sends.least(8) == 3.4e-07 and read("infiniband").receives.least(1 << 20) == 0 and read("hockney").sends.carrying(1 << 20, 8) == 0

# More bytes or more ranks never take less, except that longer messages may cost less.
for collective in ("allreduce", "reduce", "bcast", "allgather", "gather", "scatter", "reduce_scatter", "alltoall", "scan", "exscan"):
    for name, each in (("fattree", 8), ("torus", 1), ("gige", 4)):
        times = [[bounds.lower_bound(collective, size, [each] * nodes, read(name).free(), 3e-10) for size in (8, 1 << 10, 1 << 16, 1 << 20)] for nodes in (2, 3, 8, 64)]
        assert all(row == sorted(row) and row[0] > 0 for row in times), (collective, name)
PYTHON

# A simulator with known times: native takes 3 ms by the rules of mpich, 2 ms by others'; Echelon 1 ms, 4 ms
# for a reduce; with nothing set native's time in the first twenty calls and a quarter of it later; and runs
# that fail, are wrong or never end.
mkdir -p build/release/bin programs bin
ln -s "$TEST_SOURCE/bench" bench
cat >build/release/bin/echelon <<'PYTHON'
#!/usr/bin/env python3
import json, os, sys, time
words = sys.argv
print(*words, file=open("started", "a"))
value = lambda name: words[words.index(name) + 1]
peer, program = value("--native"), os.path.basename(words[words.index("--") + 1])
if os.path.exists("never") and peer == "mvapich2" and program == "echelon-calibrate":
    time.sleep(3600)
if peer == "impi":
    sys.exit("[0.0] Deadlock detected")
assert not [name for name in os.environ if name.startswith("ECHELON_") and name not in ("ECHELON_PROFILE", "ECHELON_TRIALS")]
if program == "echelon-calibrate":
    json.dump({"echelon_profile": 1}, open(words[-1], "w"))
    sys.exit()
collective, rows = value("--collectives"), []
if collective == "scatter":
    sys.exit(f"echelon-bench: {collective} fails")
calibrated = os.environ["ECHELON_PROFILE"] != "none"
assert not calibrated or os.path.exists(os.environ["ECHELON_PROFILE"])
for size in value("--bytes").split(","):
    row = {"collective": collective, "bytes": {"8": 8, "64K": 65536}[size]}
    native = 3e-3 if peer == "mpich" else 2e-3
    calls = int(value("--repetitions"))
    own = calls * [4e-3 if collective == "reduce" else 1e-3] if calibrated else 20 * [native] + (calls - 20) * [native / 4]
    rows.append(row | {"recipe": "native", "source": "library", "samples_s": calls * [native], "correct": True})
    if value("--recipes") == "all":
        rows.append(row | {"recipe": "chain", "source": "list", "samples_s": [0.5e-3], "correct": True})
        rows.append(row | {"recipe": "wrong", "source": "list", "samples_s": [0.1e-3], "correct": False})
    if value("--recipes") == "auto":
        rows.append(row | {"recipe": "ring", "source": "model", "samples_s": own, "correct": not (collective == "bcast" and size == "64K" and peer == "openmpi")})
blocks = peer == "mvapich2" and collective == "reduce" and len(rows) > 2
json.dump({"finished": not blocks, "results": rows[:2] if blocks else rows}, open(words[-1], "w"))
PYTHON
printf '#!/bin/sh\n' >bin/smpirun
chmod +x build/release/bin/echelon bin/smpirun
touch programs/echelon-bench programs/echelon-calibrate
compare() { PATH=$folder/bin:$PATH python3 "$TEST_SOURCE/apps/compare/compare.py" "$folder/build/release/bin/echelon" "$@"; }
some=(--ranks 64 --platforms "dragonfly,hockney" --clusters 2 --collectives "allreduce,reduce,bcast,scatter" --bytes "8,64K" --calls 40 --programs programs --keep kept)
ECHELON_BCAST=ring compare "${some[@]}" >said 2>&1 || fail "it ends with an error: $(cat said)"
[ "$(tail -1 said)" = peers.md ] || fail "it does not say what it wrote: $(cat said)"
# For three libraries a calibration and twice four collectives. The fourth is not calibrated, and runs three:
# its allreduce is known to be broken. A failed run is repeated size by size.
[ "$(wc -l <started)" -eq 106 ] || fail "$(wc -l <started) runs, not 2 * (3 * (9 + 4) + 4 + 1 + 9)"
compare "${some[@]}" >said 2>&1 || fail "it does not go on where it was"
[ "$(wc -l <started)" -eq 106 ] || fail "a run is made twice: $(cat said)"
has() { grep -qF -- "$1" peers.md || fail "the page lacks: $1"; }
has "2 of 4 clusters, 12 cells"
has "| calibrated, one rank a node: the best library takes 1.3 times as long, or Echelon is within 80% of the bound | 1.26; 0 of 6 cells are within 80% | **no** |"
has "| calibrated: no cell below 0.98 | 4 of 12 are, the least is 0.50 | **no** |"
has "| nothing set, against the library below: no cell below 0.95 | in the first 20 calls 0 of 34 are, the least is 1.00; in all 40 0, the least is 1.60 | yes |"
has "| nothing set: 1.3 times | in the first 20 calls 1.00, in all 40 1.60, in the last tenth 4.00 | yes |"
has "| bcast | 10 | 1.00 | 1.00 | 0 | 1.60 | 1.60 | 0 | 4.00 |"
has "| hockney 64x1 | bcast | 64 KB | 0.0854 | mvapich2 2 | 1 | 2.00 | 9% | \`ring\` (model) |"
has "- impi, calibration: deadlock in the simulator: dragonfly 8x8 in turns every collective, hockney 64x1 every collective"
has "- impi, does not end in SimGrid: dragonfly 8x8 in turns allreduce, hockney 64x1 allreduce"
has "- openmpi, calibrated: **wrong result** of \`ring\`: dragonfly 8x8 in turns bcast 64 KB"
has "- mpich, calibrated: echelon-bench: scatter fails: dragonfly 8x8 in turns scatter 8, dragonfly 8x8 in turns scatter 64K"
! grep -q "cannot be" peers.md || fail "a time is below the bound"
python3 - <<'PYTHON' || fail "the table"
import csv
rows = list(csv.DictReader(open("kept/peers.csv")))
assert len(rows) == 34 + 34, len(rows)
[row] = [row for row in rows if (row["setting"], row["platform"], row["collective"], row["bytes"], row["library"]) == ("calibrated", "hockney", "bcast", "65536", "mpich")]
assert (row["ranks"], row["each"], row["native_s"], row["echelon_s"], row["late_gain"], row["recipe"]) == ("64", "1", "0.003", "0.001", "3", "ring") and 8e-5 < float(row["bound_s"]) < 9e-5, row
PYTHON

# Kept runs make a page without a simulator; text above the mark stays; one more library takes its own runs
# only.
sed -i '1,2c # Mine\n\nSaid by hand.\n' peers.md
PATH=/usr/bin:/bin
kept() { python3 "$TEST_SOURCE/apps/compare/compare.py" "$folder/build/release/bin/echelon" "$@"; }
kept "${some[@]}" --kept --against mpich,ompi >/dev/null || fail "no page of what is kept"
has "Said by hand."
grep -q mvapich2 peers.md && fail "a library that was not asked for"
kept "${some[@]}" --kept --against mpich,ompi --above mpich -o above.md >/dev/null || fail "no page of what is calibrated above one library"
grep -qF "| hockney 64x1 | bcast | 8 B | 0.0111 | openmpi 2 | 1 | 2.00 | 1% | \`ring\` (model) |" above.md || fail "a library that is not calibrated is no peer: $(cat above.md)"
grep -q "^calibrated,.*,openmpi,[^,]*,,,,,$" kept/above.csv && ! grep -q "^calibrated,.*,openmpi,.*model$" kept/above.csv || fail "Echelon is calibrated above a library that it was not asked for"
# Echelon runs above one library, the other one is called alone.
compare "${some[@]}" --against mpich,ompi --above mpich --nothing-set mpich --keep alone -o alone.md >/dev/null || fail "no page of Echelon above one library"
cmp -s <(grep hockney above.md | grep "^| .* | B |") <(grep hockney alone.md | grep "^| .* | B |") || fail "a library that is called alone is no peer: $(cat alone.md)"
grep -qF "| mpich | 12 | 1.00 | 1.00 | 0 | 1.60 | 1.60 | 0 | 4.00 |" alone.md && ! grep -q "^| openmpi |" alone.md || fail "with nothing set Echelon runs above a library that it was not asked for"
# With --best each cell that misses its aim stands beside the fastest right recipe of all.
compare "${some[@]}" --against mpich,ompi --above mpich --nothing-set mpich --keep alone --best -o best.md >/dev/null || fail "no page of the fastest recipes"
grep -q "^| dragonfly 8x8 in turns | reduce | 8 B | .* | 0.50 | .* | \`ring\` (model) | 4.00 | \`chain\` |$" best.md && grep -qF "; with the fastest of all recipes in each cell 4.00 |" best.md ||
    fail "the fastest recipes: $(cat best.md)"
touch never
compare "${some[@]}" --keep other --clusters 1 --collectives reduce --against mpich,mvapich2 --limit 10 -o there/page.md >/dev/null || fail "a run that does not end stops all"
grep -qF "mvapich2, calibration: not done in 10 s" there/page.md || fail "what took too long is not said"
pgrep -f "$folder/build/release/bin/echelon" >/dev/null && fail "what took too long goes on"
[ "$(kept --dry-run --ranks 64 --all | wc -l)" -eq 18 ] || fail "what is drawn: $(kept --dry-run --ranks 64 --all)"
kept --dry-run --seed 2 | cmp -s - <(kept --dry-run --seed 3) && fail "all seeds draw the same"

# refused CODE SENTENCE OPTIONS...
refused() {
    local code=0 said
    said=$(compare "${@:3}" 2>&1 >/dev/null) || code=$?
    [ $code -eq "$1" ] && [[ $said == *"$2"* && $said != *Traceback* ]] || fail "${*:3}: ends with $code, says $said"
}
refused 1 "there is no cell that ran" "${some[@]}" --keep third --minutes 0
refused 2 "no-folder holds no runs" --kept --keep no-folder
refused 2 "needs echelon-bench built for SimGrid: scripts/build smpi"
refused 2 "there is no echelon-bench in nowhere" --programs nowhere
refused 2 "'lam' is none of mpich, openmpi, mvapich2, impi" --against lam
refused 2 "--above: 'mvapich2' is none of mpich, openmpi" --against mpich,ompi --above mvapich2
refused 2 "--nothing-set: 'mvapich2' is none of mpich, openmpi" --against mpich,ompi --nothing-set mvapich2
refused 2 "'alltoallv' is none of" --collectives alltoallv
refused 2 "'x' is no number of 2 or more" --ranks x
refused 2 "--calls: it must be 1 or more" --calls 0
refused 2 "'soon' is no time such as 0.3ns" --gamma soon
refused 2 "has 8 ranks on more nodes than one" --ranks 8 --platforms fat_nodes
refused 1 "none/page.md cannot be written: Not a directory" "${some[@]}" -o /dev/null/none/page.md
echo more >>programs/echelon-bench
refused 2 "kept holds runs of another build" "${some[@]}"
mkdir empty
ln -s "$(command -v python3)" empty/python3
said=$(PATH=empty kept 2>&1) && fail "without a simulator it ends well"
[[ $said == "echelon compare: needs SimGrid, whose smpirun is not here"* && $(wc -l <<<"$said") -eq 1 ]] || fail "without a simulator it says: $said"

[ "$failures" -eq 0 ] && echo passed
exit "$failures"
