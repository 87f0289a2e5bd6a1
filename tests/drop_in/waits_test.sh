#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The first call of any kind on a communicator waited for all ranks: programs that run natively hung. Calls
# that do not synchronize natively must not wait for other ranks. Programs with only these calls still run
# their recipes, and a program that has taken all of the library's communicators still runs.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

for program in waits lines full roots; do
    "mpicc.$TEST_MPI" -Wall -Wextra "$here/$program.c" -o "$folder/$program" || exit 1
done
forced() { for name in BCAST REDUCE GATHER SCATTER ALLREDUCE; do echo "ECHELON_$name=$1"; done; }

native 2 "$folder/waits" >"$folder/plain" || fail "it does not run by itself: $(cat "$folder/plain")"
waits() { # description, settings
    (export "${@:2}" NOTHING=; ours 2 "$folder/waits") >"$folder/with" 2>"$folder/errors" ||
        fail "$1: some call waits, or it ends with an error: $(cat "$folder/errors")"
    diff "$folder/plain" "$folder/with" || fail "$1: it prints something else"
}
waits "nothing set" NOTHING=
waits "no communicators" ECHELON_COMMUNICATORS=0
mapfile -t all < <(forced binomial)
waits "forced" "${all[@]}"
waits "forced over one communicator" "${all[@]}" ECHELON_COMMUNICATORS=0
waits "forced with three communicators" "${all[@]}" ECHELON_COMMUNICATORS=3

export ECHELON_SUMMARY=json:$folder/summary.json
# Calls of one class from two roots count together until a decision is due: until then each call made its plan
# anew.
ours 2 "$folder/roots" >"$folder/with" 2>"$folder/errors" || fail "changing roots: it ends with an error: $(cat "$folder/errors")"
python3 - "$folder/summary.json" <<'PYTHON' || fail "changing roots: plans are made again and again"
import json, sys
made = [one["plans_made"] for one in json.load(open(sys.argv[1]))["communicators"]]
assert sum(made) < 20, made
PYTHON
lines() { # settings
    # shellcheck disable=SC2163  # settings are NAME=VALUE
    (export ECHELON_BCAST="leaders(size=2, binomial, binomial)" ECHELON_REDUCE="leaders(size=2, binomial, binomial)"
        export ECHELON_SCAN=recursive_doubling "$@"
        ours 4 "$folder/lines") >"$folder/with" 2>"$folder/errors" || fail "$*: it ends with an error: $(cat "$folder/errors")"
    grep -qx "0 wrong" "$folder/with" || fail "$*: results are wrong: $(cat "$folder/with")"
    python3 - "$folder/summary.json" <<'PYTHON' || fail "$*: the recipes did not run: $(cat "$folder/errors")"
import json, sys
rows = [row for one in json.load(open(sys.argv[1]))["communicators"] for row in one["calls"]]
assert {row["collective"] for row in rows} == {"bcast", "reduce", "scan"}, rows
for row in rows:
    assert row["recipe"] == ("recursive_doubling" if row["collective"] == "scan" else "leaders(size=2, binomial, binomial)"), row
PYTHON
}
lines NOTHING=
lines ECHELON_COMMUNICATORS=0

if [ "$TEST_MPI" = mpich ]; then  # Open MPI has too many for a test
    native 4 "$folder/full" >"$folder/with" 2>&1 && grep -qx "0 wrong, many" "$folder/with" || fail "it does not run by itself: $(cat "$folder/with")"
    for recipe in binomial "leaders(node, native, binomial)" "leaders(numa, binomial, binomial)"; do
        for left in 0 1 2 5; do
            (export ECHELON_ALLREDUCE="$recipe" ECHELON_BCAST=binomial; ours 4 "$folder/full" $left) >"$folder/with" 2>"$folder/errors" ||
                fail "$recipe with $left communicators left: it ends with an error: $(head -c 2000 "$folder/errors")"
            grep -qx "0 wrong, many" "$folder/with" || fail "$recipe with $left communicators left: $(cat "$folder/with")"
        done
    done
fi
exit "$failures"
