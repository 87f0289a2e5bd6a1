#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On simulated ranks echelon-bench measures the algorithm only: its times equal the formulas exactly, with a
# communicator for each recipe or one for all.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# smpirun splits arguments at blanks.
for communicators in 0 1; do
    $TEST_MPIEXEC 16 bin/echelon-bench --collectives allreduce,bcast --bytes 8,64K --repetitions 2 \
        --communicators $communicators --recipes "recursive_doubling;ring;lanes(G=4,ring,ring);scatter_allgather;auto" \
        --json "$folder/$communicators.json" >"$folder/out" 2>"$folder/err" </dev/null ||
        { echo "FAILED: echelon-bench on simulated ranks"; cat "$folder/out" "$folder/err"; failures=1; }
done
$TEST_MPIEXEC 4 bin/echelon-bench --collectives bcast --bytes 8 --repetitions 1 --recipes shm >"$folder/out" 2>"$folder/err" </dev/null
[ "$(grep -c 'simulated ranks share no memory' "$folder/err")" -eq 1 ] || { echo "FAILED: why shm goes by messages"; cat "$folder/err"; failures=1; }
python3 - "$folder" <<'PYTHON' || failures=1
import json, sys
alpha, beta, envelope = 10e-6, 1e-9, 16  # platforms/hockney.xml; SMPI sends 16 bytes with each message
def messages(count, size): return count * (alpha + (size + envelope) * beta)

for communicators in (0, 1):
    with open(f"{sys.argv[1]}/{communicators}.json") as file: measured = json.load(file)
    assert measured["machine"]["simulated"] and measured["machine"]["nodes"] == 16, measured["machine"]
    assert measured["machine"]["start"] == "common instant", "simulated ranks share the clock"
    times = {}
    for result in measured["results"]:
        assert result["correct"] and result["high_s"] - result["low_s"] < 1e-12, result
        if result["source"] == "hint": times[result["collective"], result["bytes"], result["recipe"]] = result["median_s"]

    def expect(seconds, *key): assert abs(times[key] - seconds) < 1e-10, (key, times[key], seconds)
    for n in (8, 65536):
        expect(messages(4, n), "allreduce", n, "recursive_doubling")
    n = 65536
    expect(messages(30, n / 16), "allreduce", n, "ring")
    # 3 + 3 steps of quarters inside the groups, 6 of sixteenths across.
    expect(messages(6, n / 4) + messages(6, n / 16), "allreduce", n, "lanes(G=4, ring, ring)")
    halves = [n / 2, n / 4, n / 8, n / 16]
    expect(sum(messages(2, half) for half in halves), "bcast", n, "scatter_allgather")
    chosen = [result for result in measured["results"] if result["source"] == "built_in"]
    # Without measurements the library's own collective runs first.
    assert len(chosen) == 4 and all(result["recipe"] == "native" for result in chosen), chosen
PYTHON

# Ranks find their sites by names of hosts in the profile, without MPI_Init's help; otherwise measurements
# across sites have no effect.
for node in 0 32 1 33 34 2 35 3; do echo "node-$node"; done >"$folder/hosts"
on_two_sites() {
    "$TEST_SOURCE/scripts/smpirun" -n 8 -platform "$TEST_SOURCE/bench/platforms/two_sites.xml" -hostfile "$folder/hosts" "$@" >"$folder/out" 2>"$folder/err" </dev/null ||
        { echo "FAILED: $*"; cat "$folder/out" "$folder/err"; exit 1; }
}
on_two_sites bin/echelon-calibrate --collectives allreduce --bytes 64 --quiet -o "$folder/profile.json"
ECHELON_SUMMARY=text ECHELON_PROFILE=$folder/profile.json on_two_sites bin/echelon-bench --collectives allreduce --bytes 64 --repetitions 1 --recipes auto --json "$folder/auto.json"
grep -q 'saved .* against the native collectives (trials: 0, profile:' "$folder/err" || { echo "FAILED: nothing measured was found again"; cat "$folder/err"; failures=1; }
python3 - "$folder" <<'PYTHON' || failures=1
import json, sys
profile, measured = (json.load(open(f"{sys.argv[1]}/{name}.json")) for name in ("profile", "auto"))
samples = [sample for sample in profile["samples"] if sample["p"] == 8]
assert all(sample["layout"].startswith("8x1 on 2 sites #") for sample in samples), samples[0]
fastest = min(samples, key=lambda sample: sample["seconds"])
chosen = next(result for result in measured["results"] if result["source"] == "model")
assert abs(chosen["median_s"] / fastest["seconds"] - 1) < 0.01, (chosen, fastest)
native = next(sample["seconds"] for sample in samples if sample["recipe"] == "native")
assert fastest["seconds"] < 0.9 * native, "else it says nothing"
PYTHON

# Switches in place of sites, as if calibration had been told of them, and had measured that the slowest
# recipe takes no time.
for node in 0 1 2 3 32 33 34 35; do echo "node-$node"; done >"$folder/hosts"
on_two_sites bin/echelon-calibrate --collectives allreduce --bytes 64 --quiet -o "$folder/profile.json"
slowest=$(python3 - "$folder/profile.json" <<'PYTHON'
import json, sys
profile = json.load(open(sys.argv[1]))
profile["parameters"]["switches"] = profile["parameters"].pop("sites")
samples = [sample for sample in profile["samples"] if sample["layout"] == "8x1 on 2 sites" and sample["recipe"] != "native"]
# Native's own sample keeps the layout of two sites, and native parts of recipes stay unknown.
slowest = max((sample for sample in samples if "native" not in sample["recipe"]), key=lambda sample: sample["seconds"])
slowest["seconds"] = 1e-6
for sample in samples:
    sample["layout"] = "8x1 on 2 switches"
print(slowest["recipe"])
json.dump(profile, open(sys.argv[1], "w"))
PYTHON
)
ECHELON_PROFILE=$folder/profile.json on_two_sites bin/echelon-bench --collectives allreduce --bytes 64 --repetitions 1 --recipes auto --json "$folder/auto.json"
python3 - "$folder" "$slowest" <<'PYTHON' || failures=1
import json, sys
chosen = next(result for result in json.load(open(f"{sys.argv[1]}/auto.json"))["results"] if result["source"] == "model")
assert chosen["recipe"] == sys.argv[2], (chosen, sys.argv[2])
PYTHON

# Parts of the calibrated ranks gain from the first call on, at any size: the profile holds their choices.
for node in 0 1 2 3 4 5; do for _ in 0 1 2 3; do echo "node-$node"; done; done >"$folder/hosts"
on_gige() {
    "$TEST_SOURCE/scripts/smpirun" -n 24 -platform "$TEST_SOURCE/bench/platforms/gige.xml" -hostfile "$folder/hosts" "$@" >"$folder/out" 2>"$folder/err" </dev/null ||
        { echo "FAILED: $*"; cat "$folder/out" "$folder/err"; exit 1; }
}
on_gige bin/echelon-calibrate --collectives allreduce --bytes 64,16K --quiet -o "$folder/profile.json"
for part in 12x1 12x2 6x4 "6x4 --all-parts"; do # a half, every second rank, a column; all columns at the same time
    # shellcheck disable=SC2086
    LD_PRELOAD=$PWD/lib/libechelon-gamma.so SIMULATED_THINKING=0.1 ECHELON_PROFILE=$folder/profile.json ECHELON_SUMMARY=text on_gige bin/series --part $part 20 0 allreduce:5000
    python3 - "$folder" "$part" <<'PYTHON' || { cat "$folder/out" "$folder/err"; failures=1; }
import csv, re, sys
first = next(row for row in csv.DictReader(open(f"{sys.argv[1]}/out")) if row["calls"] == "20")
assert float(first["in_front_s"]) < 0.9 * float(first["plain_s"]), (sys.argv[2], first)
ran = re.findall(r"^  allreduce +4K\.\.8K +\d+ +[\d.]+ +[\d.]+ +(\w+)", open(f"{sys.argv[1]}/err").read(), re.MULTILINE)
assert ran and all(chosen_by in ("model", "tried", "trial") for chosen_by in ran), ran
PYTHON
done
exit "$failures"
