#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# echelon compare in the simulator: all collectives on 8 ranks, above two libraries. No time is below its
# bound, and optimal rows take no longer than it.
set -u
tool=$TEST_SOURCE/build/release/bin/echelon
{ [ -x "$tool" ] && [ -e "$TEST_SOURCE/build/release/lib/libechelon-gamma.so" ]; } || { echo "skipped: scripts/build release echelon_tool echelon_gamma"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
fail() { echo "FAILED: $*"; exit 1; }

for platform in infiniband torus; do
    "$tool" compare --against "mpich,openmpi" --ranks 8 --platforms $platform --collectives "allreduce,reduce,bcast,allgather,gather,scatter,reduce_scatter,alltoall,scan,exscan,barrier" \
        --bytes "8,64K" --calibrated "8,64K" --calls 2 --clusters 1 --gamma 0.3ns --programs "$TEST_BUILD/bin" -o $platform.md >said 2>&1 || fail "$platform: $(cat said)"
    grep -q "1 of [0-9] clusters, 21 cells" $platform.md && ! grep -qE "Left out|cannot be" $platform.md || fail "$platform: $(cat $platform.md)"
done
# The first calibrated calls, of a size between calibrated ones, run the recipe that the report names. They
# were native for 25 calls, because decisions counted as charged that were not.
simulated() { ECHELON_TRIALS=0 "$tool" simulate --platform infiniband -n 8 --each 4 --native mpich -- "$TEST_BUILD/bin/echelon-bench" --collectives allreduce --bytes 24K --repetitions 1 "$@" >said 2>&1 || fail "$(cat said)"; }
field() { python3 -c 'import json, sys; row = json.load(open(sys.argv[1]))["results"][-1]; print(row[sys.argv[2]])' "$1" "$2"; }
ECHELON_PROFILE=$(ls compared/infiniband-*-mpich-profile-*.json) simulated --recipes auto --warm-up 0 --json auto.json
recipe=$(field auto.json recipe)
simulated --recipes "native;${recipe// /}" --warm-up 0 --json hand.json
[ "$recipe" != native ] && [ "$(field auto.json median_s)" = "$(field hand.json median_s)" ] ||
    fail "$recipe: $(field auto.json median_s) s where it was chosen, $(field hand.json median_s) by hand"
rm auto.json hand.json

bench() { "$TEST_SOURCE/scripts/smpirun" -n "$1" "$TEST_BUILD/bin/echelon-bench" --collectives "$2" --bytes "$3" --recipes "$4" --repetitions 1 --warm-up 0 --json "$2-$1.json" >said 2>&1 || fail "$(cat said)"; }
bench 2 allreduce "8,1M" recursive_doubling
bench 8 gather 1M linear
bench 8 alltoall 1M linear
bench 8 bcast 8 flat_tree
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TEST_SOURCE/apps/compare python3 - "$TEST_SOURCE/bench/platforms/hockney.xml" <<'PYTHON' || fail "the bounds of hockney"
import glob, json, sys
import bounds
network = bounds.read_network(open(sys.argv[1]).read())
seen = 0
for file in glob.glob("*-*.json"):
    for row in json.load(open(file))["results"]:
        if row["source"] != "library":
            seen += 1
            bound = bounds.lower_bound(row["collective"], row["bytes"], [1] * row["ranks"], network, 0)
            assert 0.9999 * bound < row["median_s"] < 1.02 * bound, (row["collective"], row["ranks"], row["bytes"], row["median_s"], bound)
assert seen == 5, seen
PYTHON
echo passed
