#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Info keys that differ by rank leave the communicator to the MPI library, and one sentence reports it. With a
# profile, calls with a root run the decisions of one rank from the first call on, without a call that waits.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

for program in told lines edges routes; do
    "mpicc.$TEST_MPI" -Wall -Wextra "$here/$program.c" -o "$folder/$program" || exit 1
done
export ECHELON_SUMMARY=json:$folder/summary.json
ran() { # PROGRAM SETTING...
    (export "${@:2}"; ours 4 "$folder/$1") >"$folder/output" 2>"$folder/errors" || fail "$*: it ends with an error: $(cat "$folder/errors")"
    grep -qx "0 wrong" "$folder/output" || fail "$*: results are wrong: $(cat "$folder/output")"
}
rows() { # a condition for all rows (name, row)
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

# Recipes that use messages only need no communicator of ours, even with a budget of one, which MPI_COMM_WORLD
# has. Sums with native phases need some, and bcasts and reduces go on beside them.
roots='{"collective": "bcast", "recipe": "leaders(G=2, binomial, chain)"}, {"collective": "reduce", "recipe": "lanes(G=2, ring, binomial)"}'
sums='{"collective": "allreduce", "recipe": "leaders(G=2, native, ring)"}'
followed() { # RULES BUDGET MADE SUMS: rules for rooted calls hold in all of them; MADE communicators on each, and recipes of sums
    echo "{\"echelon_profile\": 1, \"rules\": [$1]}" >"$folder/profile.json"
    ran routes "ECHELON_PROFILE=$folder/profile.json" "ECHELON_COMMUNICATORS=$2"
    rows '{(row["recipe"], row["source"]) for name, row in rows if row["collective"] != "allreduce"} == {("leaders(G=2, binomial, chain)", "profile_rule"), ("lanes(G=2, ring, binomial)", "profile_rule")}'
    rows "{row['recipe'] for name, row in rows if row['collective'] == 'allreduce'} == {$4}"
    made=$(python3 -c "import json; print(*sorted({one['sub_communicators_made'] / one['communicators'] for one in json.load(open('$folder/summary.json'))['communicators'] if one['calls']}))")
    [ "$made" = "$3" ] || fail "a budget of $2: $made communicators, not $3: $(cat "$folder/summary.json")"
}
followed "$roots" 1 0.0 "'native'"
# Halves, in groups of one rank, have no native phases.
followed "$roots, $sums" 800 "0.0 2.0" "'leaders(G=2, native, ring)'"
followed "$roots, $sums" 1 0.0 "'leaders(G=2, native, ring)', 'native'"

# A rule holds exactly for the sizes that it names, even if it ends inside a class of calls.
echo '{"echelon_profile": 1, "rules": [{"collective": "allreduce", "to": 1000, "recipe": "ring"}, {"collective": "allreduce", "to": 1005, "recipe": "recursive_doubling"},
      {"collective": "bcast", "from": 950, "to": 1049, "recipe": "binomial"}]}' >"$folder/profile.json"
ran edges "ECHELON_PROFILE=$folder/profile.json"
calls() { echo "sum(row['calls'] for name, row in rows if (row['collective'], row['recipe'], row['from_bytes']) == $1)"; }
rows "$(calls "('allreduce', 'ring', 512)") == 201 and $(calls "('allreduce', 'recursive_doubling', 512)") == 10"
rows "sum(row['calls'] for name, row in rows if row['collective'] == 'bcast' and row['recipe'] == 'binomial') == 200"
exit "$failures"
