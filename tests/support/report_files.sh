# SPDX-License-Identifier: Apache-2.0
# Sourced by tests that draw, after drop_in/drop_in.sh. Makes files of each kind that `echelon plot` and
# `echelon report` read, and changes to their folder. Sets `files`, their names, and `tool`, which reads them.
# shellcheck shell=bash disable=SC2154,SC2034
tool=$TEST_BUILD/bin/echelon
"mpicc.$TEST_MPI" "$here/summary.c" -o "$folder/sums" || exit 1
cd "$folder" || exit 1

ECHELON_BCAST="leaders(G=2, binomial, chain)" ECHELON_TRACE=trace%r.json ECHELON_SUMMARY=json:summary.json ours 3 ./sums || fail "nothing to draw: no summary"
native 2 "$TEST_BUILD/bin/echelon-bench" --collectives reduce --bytes 8,1K --recipes "binomial; ring" --repetitions 3 --warm-up 0 --json two.json --csv two.csv >/dev/null 2>&1 ||
    fail "nothing to draw: no results"
python3 - <<'PYTHON'
import json
# Rows in the format of echelon-bench, on more ranks.
def row(collective, size, ranks, recipe, source, seconds):
    return {"collective": collective, "bytes": size, "ranks": ranks, "recipe": recipe, "source": source, "correct": True, "median_s": seconds,
            "low_s": 0.9 * seconds, "high_s": 1.2 * seconds, "speedup": 1e-3 / seconds, "speedup_low": 0.9e-3 / seconds, "speedup_high": 1.1e-3 / seconds}
rows = []
for size in (8, 65536):
    rows += [row("reduce", size, 16, "native", "library", 1e-3)]
    rows += [row("reduce", size, 16, f"leaders(G={groups}, chain(seg=4K), ring)", "hint", 1e-4 * abs(groups - 4.5)) for groups in (2, 4, 8)]
machine = {"ranks": 16, "nodes": 4, "layout": "4x4", "simulated": True, "mpi": "SMPI Version 3.32. Copyright", "processor": "any", "date": "2026-01-01", "host": "here"}
json.dump({"finished": True, "machine": machine, "results": rows, "skipped": []}, open("sixteen.json", "w"))
# Times between two powers of ten: the axis must still show numbers.
near = [row("allreduce", size, 4, recipe, "hint", seconds) for size in (8, 16) for recipe, seconds in (("native", 3.1e-6), ("binomial", 3.9e-6))]
json.dump({"finished": True, "machine": machine | {"ranks": 4}, "results": near, "skipped": []}, open("near.json", "w"))
cell = {"part": "all", "ranks": 16, "collective": "reduce", "bytes": 8, "chosen": "ring", "best": "binomial", "regret": 0.04, "against_native": -0.2}
json.dump({"machine": machine, "regret": {"cells": [cell, cell | {"bytes": 64}, cell | {"part": "half", "ranks": 8}]}}, open("regret.json", "w"))
print("setting,platform,ranks,each,order,collective,bytes,bound_s,library,native_s,echelon_s,recipe,source", file=(compared := open("compared.csv", "w")))
for each, library, native, echelon in ((1, "mpich", "2e-5", "1.5e-5"), (1, "openmpi", "", "1.8e-5"), (4, "mpich", "9e-6", "")):
    print(f"calibrated,gige,16,{each},block,reduce,8,8e-6,{library},{native},{echelon},ring,model", file=compared)
compared.close()
samples = [{"collective": "reduce", "p": 16, "layout": "4x4", "bytes": size, "recipe": recipe, "seconds": seconds * (1 + size / 1e4), "spread": 0.02}
           for size in (8, 65536) for recipe, seconds in (("native", 1e-4), ("binomial", 5e-5), ("ring", 7e-5))]
line = {"model": "hockney", "alpha": 1e-5, "beta": 1e-9}
json.dump({"echelon_profile": 1, "fingerprint": {"mpi": "MPICH Version: 4.0.2", "processor": "any", "networks": ["eth0"], "ranks_per_node": 4},
           "parameters": {"inside": line, "between": line}, "samples": samples,
           "decisions": [{"collective": "reduce", "p": 16, "layout": "4x4", "from": 9, "to": 64, "recipe": "ring", "seconds": 1e-4, "native_seconds": 2e-4}]},
          open("profile.json", "w"))
# A profile of sixteen ranks that chooses a group for each node.
json.dump({"echelon_profile": 1, "fingerprint": {"mpi": "SMPI Version 3.32"}, "parameters": {"inside": line, "between": line},
           "rules": [{"collective": "reduce", "recipe": "leaders(node, chain, binomial)"}]}, open("model.json", "w"))
PYTHON
"$tool" map --profile profile.json -c reduce -p 4..16 --ranks-per-node 4 -b 8..1K >map.csv || fail "no map"

files=(summary.json two.json sixteen.json near.json regret.json map.csv compared.csv profile.json trace0.json trace1.json trace2.json)
