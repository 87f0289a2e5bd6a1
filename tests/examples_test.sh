#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cg, sgd and kmeans, natively, with the drop-in library in front, and with the API: right each time, equal to
# rounding, and in reproducible mode with equal bits, on every MPI.
# shellcheck source-path=SCRIPTDIR source=support/ways.sh
. "$TEST_SOURCE/tests/support/ways.sh"

ranks=4
lanes="ECHELON_STRICT=1 ECHELON_ALLREDUCE=lanes(G=2,ring,ring)"
leaders="ECHELON_STRICT=1 ECHELON_ALLREDUCE=leaders(G=2,binomial,recursive_doubling) ECHELON_BCAST=leaders(G=2,binomial,binomial)"
cg=(cg --points 9x8x10 --every 0)
sgd=(--inputs 24 --hidden 40 --outputs 6 --batch 30 --batches 2 --steps 12 --bucket 0.003 --every 0 --reference)
kmeans=(kmeans --points 3000 --spread 0.4 --every 0 --reference)
way cg-native - "${cg[@]}"
way cg-lanes "$lanes" "${cg[@]}" --grid 1x4x1
way cg-fused "$leaders" "${cg[@]}" --fused --warm-up
way cg-reproducible ECHELON_REPRODUCIBLE=1 "${cg[@]}"
way cg-any ECHELON_REPRODUCIBLE=any "${cg[@]}"
way cg-any-leaders "ECHELON_REPRODUCIBLE=any $leaders" "${cg[@]}"
nonblocking=nonblocking persistent=persistent
[ "$TEST_MPI" != smpi ] || nonblocking=blocking persistent=blocking
way cg-pipelined "$leaders" "${cg[@]}" --pipelined --form $nonblocking
way sgd-native - sgd "${sgd[@]}"
way sgd-lanes "$lanes" sgd "${sgd[@]}"
way sgd-api - sgd_tuned "${sgd[@]}" --warm-up --recipe "lanes(G=2,ring,ring)"
way sgd-reproducible ECHELON_REPRODUCIBLE=1 sgd "${sgd[@]}"
ECHELON_REPRODUCIBLE=1 way sgd-api-reproducible - sgd_tuned "${sgd[@]}" --recipe auto
way sgd-any ECHELON_REPRODUCIBLE=any sgd "${sgd[@]}"
way sgd-any-lanes "ECHELON_REPRODUCIBLE=any $lanes" sgd "${sgd[@]}"
way sgd-nonblocking "$lanes" sgd "${sgd[@]}" --form $nonblocking
way cg-persistent - "${cg[@]}" --pipelined --form $persistent
way sgd-persistent - sgd "${sgd[@]}" --form $persistent
way kmeans-native - "${kmeans[@]}"
way kmeans-leaders "$leaders" "${kmeans[@]}" --warm-up
way kmeans-made "$leaders" kmeans --points 3000 --every 0
way kmeans-reproducible ECHELON_REPRODUCIBLE=1 "${kmeans[@]}"
python3 - "$folder" <<'PYTHON' || fail "the reports are not as they should be"
import json, math, pathlib, platform, sys
reports = {file.stem: json.loads(file.read_text()) for file in pathlib.Path(sys.argv[1]).glob("*.json")}
assert len(reports) == 21, reports.keys()
def note(run, name): return reports[run]["notes"][name]
def of(program): return [run for run in reports if run.startswith(program)]
def servers(run): return [row["server"] for row in reports[run]["rows"] if "server" in row]

# Results are equal to rounding.
pipelined = {"cg-pipelined", "cg-persistent"}  # other recurrences
assert len({note(run, "iterations") for run in of("cg-") if run not in pipelined}) == 1
for run in pipelined: assert abs(note(run, "iterations") - note("cg-native", "iterations")) <= 2
for run in of("cg-"): assert note(run, "residual") <= 1e-8 and note(run, "error") < 1e-6
for run in of("sgd-"): assert note(run, "off the reference") < 1e-6 and note(run, "last loss") < note(run, "first loss")
for run in of("kmeans-"): assert note(run, "settled")
for run in ("native", "leaders", "reproducible"):
    assert note("kmeans-" + run, "off the reference") < 1e-12
    assert math.isclose(note("kmeans-" + run, "inertia"), note("kmeans-native", "inertia"), rel_tol=1e-12)
assert note("kmeans-made", "found what was made") and "found what was made" not in reports["kmeans-native"]["notes"]

# One recipe gives equal bits, no matter how it was requested.
assert note("sgd-lanes", "checksum") == note("sgd-api", "checksum")
assert note("sgd-nonblocking", "checksum") == note("sgd-lanes", "checksum")
assert note("sgd-reproducible", "checksum") == note("sgd-api-reproducible", "checksum")
# Sums that no order changes give equal bits under each recipe.
assert note("cg-any", "checksum") == note("cg-any-leaders", "checksum")
assert note("sgd-any", "checksum") == note("sgd-any-lanes", "checksum")
# Reproducible results are equal on every MPI and in every build: these come from MPICH, Open MPI and SMPI.
seen = {"cg": "61faf72f71755aa0", "sgd": "72e0f3bf24a6aae2", "kmeans": "b3c849ed59716c49"}
found = {program: note(program + "-reproducible", "checksum") for program in seen}
if platform.machine() == "x86_64": assert found == seen, found  # others may contract a * b + c

# The report names the recipe that served.
for run in ("cg-native", "sgd-native", "kmeans-native"): assert set(servers(run)) == {"native"}, (run, servers(run))
assert servers("cg-lanes") == ["lanes(G=2, ring, ring)"], servers("cg-lanes")
assert servers("sgd-api")[0] == servers("sgd-lanes")[0] == "lanes(G=2, ring, ring)", servers("sgd-api")
assert servers("kmeans-leaders") == ["leaders(G=2, binomial, recursive_doubling)"] * 3 + ["leaders(G=2, binomial, binomial)"]
calls = {row["of"]: row["calls"] for row in reports["cg-native"]["rows"]}
assert calls["dot products"] == 2 * note("cg-native", "iterations") + 1
calls = {row["of"]: row["calls"] for row in reports["cg-fused"]["rows"]}
assert calls["dot products"] == note("cg-fused", "iterations") + 1
PYTHON

# A wrong result is reported: exit code 1.
code=0
# shellcheck disable=SC2086
$TEST_MPIEXEC 2 bin/cg --points 9 --iterations 3 >"$folder/out" 2>"$folder/err" </dev/null || code=$?
[ "$code $(grep -c "^cg: the result is WRONG" "$folder/err")" = "1 1" ] || fail "cg without the iterations that it needs ends with $code"
# The report's file was opened only at the end. It is tried before the work: nothing is computed, one rank
# prints one sentence. Failing output is an error.
refused() { # sentence, shell command in place of exec
    code=0
    # shellcheck disable=SC2086
    $TEST_MPIEXEC 2 sh -c "$2" - bin/cg --points 9 --every 1 "${@:3}" >"$folder/out" 2>"$folder/err" </dev/null || code=$?
    [ "$code $(grep "^cg: " "$folder/err")" = "1 cg: $1" ] || fail "cg ${*:3} ends with $code: $(cat "$folder/err")"
    grep -q MPI_Abort "$folder/err" && fail "cg ${*:3} aborts"
}
if [ "$TEST_MPI" != smpi ]; then
    # shellcheck disable=SC2016
    refused "--json: /proc/none/cg.json cannot be written: No such file or directory" 'exec "$@"' --json /proc/none/cg.json
    grep -q iteration "$folder/out" && fail "cg works before it tries --json"
    # shellcheck disable=SC2016
    refused "--json: /dev/full cannot be written: No space left on device" 'exec "$@"' --json /dev/full
    # shellcheck disable=SC2016
    refused "standard output cannot be written: No space left on device" 'exec "$@" >/dev/full'
fi
wrong_use cg --points 0
wrong_use cg --gird 1x1x2
grep -qF "did you mean --grid?" "$folder/err" || fail "cg --gird says: $(cat "$folder/err")"
wrong_use cg --grid 3x1x1
wrong_use cg --points 1x1x1
wrong_use sgd --steps 3
wrong_use sgd --bucket 0
wrong_use sgd_tuned --recipe nonsense
wrong_use kmeans --clusters 0
exit "$failures"
