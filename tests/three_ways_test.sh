#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The matrix applications, natively, with the drop-in library in front, and with the API: equal bits, and the
# report names the recipe that served.
# shellcheck source-path=SCRIPTDIR source=support/ways.sh
. "$TEST_SOURCE/tests/support/ways.sh"

ranks=4
[ "$TEST_MPI" != smpi ] || ranks=16  # simulated
product=(--size 101x130x77 --block 10 --grid 2x$((ranks / 2)))
bcast="ECHELON_STRICT=1 ECHELON_BCAST"
way native - summa "${product[@]}"
way drop_in "$bcast=leaders(G=2,binomial,binomial)" summa "${product[@]}"
way lanes "$bcast=lanes(G=2,ring,binomial)" summa "${product[@]}"
way api - summa_tuned "${product[@]}" --recipe "leaders(G=2,binomial,binomial)"
way hsumma - hsumma "${product[@]}" --groups 1x2
way hsumma_drop_in "$bcast=binomial" hsumma "${product[@]}" --groups 2x1
way overlap - summa "${product[@]}" --overlap --exact
way exact "$bcast=leaders(G=2,binomial,binomial)" summa "${product[@]}" --exact
python3 - "$folder" "$ranks" <<'PYTHON' || fail "the reports are not as they should be"
import json, sys, pathlib
reports = {file.stem: json.loads(file.read_text()) for file in pathlib.Path(sys.argv[1]).glob("*.json")}
assert len(reports) == 8, reports.keys()
for name, report in reports.items():
    assert report["ranks"] == int(sys.argv[2]) and report["notes"]["error"] <= 1, (name, report)
    assert report["notes"].get("wrong elements", 0) == 0
    kinds = [row["what"] for row in report["rows"]]
    assert "product" in kinds and sum(row["slowest_s"] for row in report["rows"] if row["what"] == "product") <= report["slowest_s"]
def sums(*names): return {reports[name]["notes"]["checksum"] for name in names}
assert len(sums("native", "drop_in", "lanes", "api", "hsumma", "hsumma_drop_in")) == 1, "other bits"
assert sums("overlap") == sums("exact") != sums("native")
def servers(name): return [row["server"] for row in reports[name]["rows"] if "server" in row]
leaders = "leaders(G=2, binomial, binomial)"
assert servers("native") == ["native"] * 2 and servers("overlap") == [], servers("native")
for name in ("drop_in", "api", "exact"): assert servers(name) == [leaders] * 2, (name, servers(name))
assert servers("lanes") == ["lanes(G=2, ring, binomial)"] * 2
assert servers("hsumma") == ["native"] * 4 and "binomial" in servers("hsumma_drop_in")
assert len({row["calls"] for row in reports["native"]["rows"]}) == 1, reports["native"]["rows"]
PYTHON

# Wrong use: exit code 2 and one sentence.
for wrong in "--size 3x4" "--block 0" "--grid 3x3" "--nonsense"; do
    # shellcheck disable=SC2086
    wrong_use summa $wrong
done
exit "$failures"
