#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Groups `switch` come from ECHELON_PLACE or Slurm, if all ranks have them. Calibration measures between
# switches, and a choice by its profile spares a narrow trunk. Here pairs of ranks seem to be nodes, in turns
# on two switches.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra -shared -fPIC "$here/nodes.c" -o "$folder/nodes.so" &&
    "mpicc.$TEST_MPI" -Wall -Wextra "$here/sum.c" -o "$folder/sum" || exit 1
cd "$folder" || exit 1
cat >told <<'SH'
rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK} by=$1
shift
switch=$((rank / 2 % 2))
case $by in
    name) export ECHELON_PLACE=switch=switch-$switch ;;
    slurm) export SLURM_TOPOLOGY_ADDR=top.leaf$switch.$(hostname) SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.node ;;
    some) [ "$rank" -gt 3 ] || export ECHELON_PLACE=switch=switch-$switch ;;
esac
exec "$@"
SH
# runs BY RECIPE SIZES LEADERS: eight ranks; numbers of ranks in phases inside groups and between their
# leaders.
runs() {
    rm -f t?.json s.json
    ECHELON_ALLREDUCE=$2 ECHELON_TRACE=t%r.json ECHELON_SUMMARY=json:s.json started "$folder/nodes.so:$library" 8 sh told "$1" ./sum >out 2>err ||
        fail "$1, $2: it does not run: $(cat err)"
    grep -q '^sum 8,' out || fail "$1, $2: $(cat out)"
    [ "$(count s.json allreduce "$2")" -eq 1 ] || fail "$1, $2: the summary does not name it: $(cat s.json)"
    python3 - "$3" "$4" <<'PYTHON' || fail "$1, $2: other ranks take part"
import json, sys
inside, leaders = int(sys.argv[1]), {int(rank) for rank in sys.argv[2].split()}
for rank in range(8):
    bars = json.load(open(f"t{rank}.json"))["traceEvents"]
    phases = {(one["name"], one["args"]["group"]) for one in bars if one["ph"] == "X" and "group" in one["args"]}
    wanted = {("reduce binomial", inside), ("bcast binomial", inside)} | ({("allreduce ring", len(leaders))} if rank in leaders else set())
    assert phases == wanted, (rank, phases, wanted)
PYTHON
}
runs name "leaders(node, binomial, ring)" 2 "0 2 4 6"
for by in name slurm; do
    runs $by "leaders(switch, binomial, ring)" 4 "0 2"
    ! grep -q 'some ranks only' err || fail "$by: $(cat err)"
done
runs some "leaders(switch, binomial, ring)" 8 ""
[ "$(grep -c "the switch of ECHELON_PLACE or Slurm is known to some ranks only: it counts for none" err)" -eq 1 ] || fail "it does not say who knows: $(cat err)"

started "$folder/nodes.so" 8 sh told name "$TEST_BUILD/bin/echelon-calibrate" --crowded --seconds 6 --quiet --collectives allreduce --bytes 64 -o p.json \
    >out 2>err || fail "it is not calibrated: $(cat out err)"
grep -q '^messages between switches' out || fail "calibration does not say what is between switches: $(cat out)"
python3 - <<'PYTHON' || fail "the profile does not know switches"
import json
profile = json.load(open("p.json"))
switches = profile["parameters"]["switches"]
assert switches["network"]["pieces"] and len(switches["hosts"]) > 0, switches
assert any(one["layout"].startswith("4x2 on 2 switches #") for one in profile["samples"]), {one["layout"] for one in profile["samples"]}
# A network that shows the choice: a trunk of a fourth of a node's card.
between = {"model": "hockney", "alpha": 2e-5, "beta": 8e-10}
json.dump({"echelon_profile": 1, "parameters": {"inside": {"model": "hockney", "alpha": 5e-7, "beta": 2.5e-10}, "between": between, "card": 1.25e9,
           "switches": {"network": between, "uplink": 3.1e8, "hosts": [["a"], ["b"]]}}}, open("narrow.json", "w"))
PYTHON
explained=$("$TEST_BUILD/bin/echelon" explain --profile narrow.json --layout "16x1 on 4 switches" -c bcast -b 1M) || fail "it is not explained"
[[ $explained == *'16x1 on 4 switches'* && $explained == *'leaders(switch, '* ]] || fail "explain does not name switches: $explained"
exit "$failures"
