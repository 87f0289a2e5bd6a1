#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Only one rank has a counter of calls, and the ranks still exchange timings in one and the same call, on four
# pretended nodes.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra -O1 "$here/observers.c" -o "$folder/observers" &&
    "mpicc.$TEST_MPI" -Wall -Wextra -shared -fPIC "$here/nodes.c" -o "$folder/nodes.so" || exit 1
export ECHELON_TRIALS=50 ECHELON_SUMMARY=json:$folder/summary.json
ran() { # RANK
    started "$folder/nodes.so:$library" 6 "$folder/observers" "$1" >"$folder/output" 2>"$folder/errors" || fail "observed by $1: it does not end well: $(cat "$folder/errors")"
    grep -qx "0 wrong" "$folder/output" || fail "observed by $1: $(cat "$folder/output")"
}
ran -1
tried=$(python3 - "$folder/summary.json" <<'PYTHON'
import json, sys
rows = [row for one in json.load(open(sys.argv[1]))["communicators"] for row in one["calls"]]
print(sum(row["calls"] for row in rows if row["collective"] == "allreduce" and row["recipe"] != "native"))
PYTHON
)
[ "$tried" -gt 0 ] || { [ "$failures" -eq 0 ] && echo "not compared: too few calls paid for a trial here" && exit 77; }
echo "$tried sums were not native"
for rank in 0 1 7; do ran $rank; done
exit "$failures"
