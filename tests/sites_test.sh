#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Calibration finds distant groups of nodes, for any order of the ranks, if there are sites and nowhere else,
# and prices the links between them accordingly. In a torus it finds the place of each node, even for some
# scattered ones.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

calibrated() { # PLATFORM[.NAME] NODE...
    printf 'node-%s\n' "${@:2}" >"$folder/hosts"
    $TEST_MPIEXEC $(($# - 1)) -platform "$TEST_SOURCE/bench/platforms/${1%.*}.xml" -hostfile "$folder/hosts" bin/echelon-calibrate --quiet \
        --collectives allreduce --bytes 8 --output "$folder/$1.json" >"$folder/out" 2>"$folder/err" </dev/null ||
        { echo "FAILED: calibration on $1"; cat "$folder/out" "$folder/err"; failures=1; }
}
calibrated two_sites 3 40 5 41 9 33 60 7 1 2 45
calibrated torus 0 1 2 3 4 5 6 7 20 40 60 80 100 127
calibrated torus.six 0 1 4 5 8 9
calibrated dragonfly 0 1 2 3 16 17 32 33 64 65 96 97
calibrated gige 0 1 2 50 51 52 100 101 102
python3 - "$folder" <<'PYTHON' || failures=1
import json, sys
found = {name: json.load(open(f"{sys.argv[1]}/{name}.json")) for name in ("two_sites", "torus", "torus.six", "dragonfly", "gige")}
sites = found["two_sites"]["parameters"]["sites"]
here, there = ({f"node-{one}" for one in some} for some in ((3, 5, 9, 7, 1, 2), (40, 41, 33, 60, 45)))
assert [set(hosts) for hosts in sites["hosts"]] == [here, there], sites["hosts"]
once = sites["network"]["pieces"][0]["alpha"]
assert 2.5e-3 < once < 2.6e-3 and found["two_sites"]["parameters"]["between"]["pieces"][0]["alpha"] < 1e-5, once
whole = [one for one in found["two_sites"]["samples"] if one["p"] == 11]
assert all(one["layout"].startswith("11x1 on 2 sites #") for one in whole), whole[0]
best = min(whole, key=lambda one: one["seconds"])
assert best["recipe"] != "native" and best["seconds"] < 1.1 * once, best
for name in ("torus", "torus.six", "dragonfly", "gige"):
    assert "sites" not in found[name]["parameters"], (name, found[name]["parameters"]["sites"])
    assert ("torus" in found[name]["parameters"]) == ("torus" in name), name
torus = found["torus"]["parameters"]["torus"]
assert torus["size"] == [4, 4, 8] and abs(torus["hop"] / 400e-9 - 1) < 0.01 and abs(torus["link"] / 5e9 - 1) < 0.02, torus
assert {one["host"]: one["at"] for one in torus["hosts"]}["node-100"] == [0, 1, 6], torus
assert {one["host"]: one["at"][:2] for one in found["torus.six"]["parameters"]["torus"]["hosts"]}["node-9"] == [1, 2], found["torus.six"]
PYTHON
exit "$failures"
