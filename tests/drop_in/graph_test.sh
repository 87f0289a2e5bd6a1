#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Our communicators leave no trace on the program's: MPI_Dist_graph_create does not hang after them. It did in
# every third run on Open MPI.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/graph.c" -o "$folder/graph" || exit 1
export ECHELON_ALLREDUCE="leaders(node, ring, ring)" ECHELON_SUMMARY=json:$folder/summary.json
for run in $(seq 10); do
    ours 4 "$folder/graph" >"$folder/printed" 2>&1 || fail "run $run ended with an error or hung: $(cat "$folder/printed")"
    [ "$(count "$folder/summary.json" allreduce leaders)" = 1 ] || fail "run $run: Echelon served no call"
done
exit "$failures"
