#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A profile chose a recipe with native phases for calls that never synchronise: its communicators were never made,
# and native calls served. The fastest recipe without native phases serves, with and without trials.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

cat >"$folder/casts.c" <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
    static double data[8192];
    int rank, sum = 0;
    MPI_Comm own;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_rank(own, &rank);
    for (int call = 0; call < 600; ++call) {
        data[8191] = rank == call % 4 ? call : -1;
        MPI_Bcast(data, 8192, MPI_DOUBLE, call % 4, own);
        sum += data[8191] == call;
    }
    printf("right %d\n", sum);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
C
"mpicc.$TEST_MPI" -Wall -Wextra "$folder/casts.c" -o "$folder/casts" || exit 1
cat >"$folder/profile.json" <<'JSON'
{"echelon_profile": 1, "parameters": {"inside": {"model": "hockney", "alpha": 1e-3, "beta": 1e-9}, "between": {"model": "hockney", "alpha": 1e-3, "beta": 1e-9}},
 "samples": [{"collective": "bcast", "p": 4, "layout": "1x4", "recipe": "native", "bytes": 65536, "seconds": 5e-3},
             {"collective": "bcast", "p": 4, "layout": "1x4", "recipe": "leaders(G=2, native, chain)", "bytes": 65536, "seconds": 1e-4},
             {"collective": "bcast", "p": 4, "layout": "1x4", "recipe": "binomial", "bytes": 65536, "seconds": 2e-4}]}
JSON
for trials in 0 5; do
    ECHELON_TRIALS=$trials ECHELON_PROFILE=$folder/profile.json ECHELON_WINDOW=0 ECHELON_SUMMARY=json:$folder/summary.json \
        ours 4 "$folder/casts" >"$folder/out" 2>"$folder/err" || fail "it ends with an error: $(cat "$folder/err")"
    [ "$(grep -c "^right 600$" "$folder/out")" -eq 4 ] || fail "wrong data: $(cat "$folder/out")"
    python3 - "$folder/summary.json" <<'PYTHON' || fail "trials of $trials %: another recipe serves"
import json, sys
rows = [row for one in json.load(open(sys.argv[1]))["communicators"] for row in one["calls"] if row["collective"] == "bcast"]
chosen = {row["recipe"] for row in rows if row["source"] == "model" and not row["tried"]}
assert chosen == {"binomial"}, rows
PYTHON
done
exit "$failures"
