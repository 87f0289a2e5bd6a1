#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What ranks are told together: info keys that differ by rank leave the communicator to the MPI library, and one sentence says so; where there
# is a profile, calls with a root run what one rank says of them from the first call on, without a call that waits.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

for program in told lines edges; do
    "mpicc.$TEST_MPI" -Wall -Wextra "$here/$program.c" -o "$folder/$program" || exit 1
done
export ECHELON_SUMMARY=json:$folder/summary.json
ran() { # PROGRAM SETTING...
    (export "${@:2}"; ours 4 "$folder/$1") >"$folder/output" 2>"$folder/errors" || fail "$*: it ends with an error: $(cat "$folder/errors")"
    grep -qx "0 wrong" "$folder/output" || fail "$*: results are wrong: $(cat "$folder/output")"
}
rows() { # what must hold of all rows (name, row)
    python3 - "$folder/summary.json" "$1" <<'PYTHON' || fail "the summary shows something else: $(cat "$folder/errors")"
import json, sys
rows = [(one["name"], row) for one in json.load(open(sys.argv[1]))["communicators"] for row in one["calls"]]
assert rows and eval(sys.argv[2]), rows
PYTHON
}

for communicators in 800 0; do
    ran told ECHELON_COMMUNICATORS=$communicators
    [ "$(grep -c "have different ECHELON_ settings or info keys" "$folder/errors")" -eq 1 ] || fail "not one sentence: $(cat "$folder/errors")"
    rows 'all(row["recipe"] == "native" for name, row in rows if not name.startswith("all"))'
    rows '{row["collective"] for name, row in rows if name.startswith("all") and row["recipe"] == "ring"} == {"bcast", "allreduce"}'
done

echo '{"echelon_profile": 1, "rules": [{"collective": "bcast", "recipe": "binomial"}, {"collective": "reduce", "recipe": "chain"}]}' >"$folder/profile.json"
ran lines "ECHELON_PROFILE=$folder/profile.json"
rows 'all(row["recipe"] == {"bcast": "binomial", "reduce": "chain"}[row["collective"]] for name, row in rows if row["collective"] != "scan")'
rows '{row["source"] for name, row in rows if row["collective"] != "scan"} == {"profile_rule"}'

# A rule holds for the very sizes that it names, whatever class of calls it ends in.
echo '{"echelon_profile": 1, "rules": [{"collective": "allreduce", "to": 1000, "recipe": "ring"}, {"collective": "allreduce", "to": 1005, "recipe": "recursive_doubling"},
      {"collective": "bcast", "from": 950, "to": 1049, "recipe": "binomial"}]}' >"$folder/profile.json"
ran edges "ECHELON_PROFILE=$folder/profile.json"
calls() { echo "sum(row['calls'] for name, row in rows if (row['collective'], row['recipe'], row['from_bytes']) == $1)"; }
rows "$(calls "('allreduce', 'ring', 512)") == 201 and $(calls "('allreduce', 'recursive_doubling', 512)") == 10"
rows "sum(row['calls'] for name, row in rows if row['collective'] == 'bcast' and row['recipe'] == 'binomial') == 200"
exit "$failures"
