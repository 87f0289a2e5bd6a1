#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Intercommunicators go through unchanged. Communicators with processes that were started later
# (MPI_Comm_spawn) do too; these processes may lack Echelon.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/between.c" -o "$folder/between" || exit 1
export ECHELON_ALLREDUCE="leaders(G=2, binomial, ring)" ECHELON_REDUCE=binomial ECHELON_BCAST=binomial ECHELON_BARRIER=dissemination
export ECHELON_SUMMARY=json:$folder/summary.json
native 4 "$folder/between" "$TEST_YIELD" >"$folder/plain" || fail "it does not run by itself: $(cat "$folder/plain")"
same_with() {  # libraries in front of the children
    rm -f "$folder/summary.json"
    ours 4 "$folder/between" "$1${1:+:}$TEST_YIELD" >"$folder/with" 2>"$folder/errors" ||
        fail "children with '$1': it ends with an error: $(cat "$folder/errors")"
    diff "$folder/plain" "$folder/with" || fail "children with '$1': it prints something else: $(cat "$folder/errors")"
}
same_with "$library"
if [ "$TEST_MPI" = openmpi ]; then  # MPICH's children inherit no environment
    children=$(python3 -c "import json, sys; print(json.load(open(sys.argv[1]))['ranks'])" "$folder"/summary.json.[0-9]*)
    [ "$children" = 2 ] || fail "the children wrote no summary of their own: $(ls "$folder")"
fi
same_with ""
python3 - "$folder/summary.json" "$TEST_MPI" <<'PYTHON' || fail "the summary does not show them: $(cat "$folder/summary.json")"
import json, sys
reasons = {}
for one in json.load(open(sys.argv[1]))["communicators"]:
    for row in one["native"]:
        reasons[row["reason"]] = reasons.get(row["reason"], 0) + row["calls"]
print(reasons)
assert reasons["an intercommunicator"] == 12
assert reasons.get("processes of another MPI_COMM_WORLD", 0) == (9 if sys.argv[2] == "openmpi" else 0)
PYTHON
exit "$failures"
