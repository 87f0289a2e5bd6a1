#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ECHELON_ADVISOR: a model in a shared library, asked before Echelon's own, decides; a library that is no model is
# reported once, and the choice stays Echelon's.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

cat >"$folder/sums.c" <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
    double one[1024] = {1}, sum[1024];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int call = 0; call < 1000; ++call) MPI_Allreduce(one, sum, 1024, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %g\n", sum[0]);
    MPI_Finalize();
    return 0;
}
C
"mpicc.$TEST_MPI" -Wall -Wextra "$folder/sums.c" -o "$folder/sums" || exit 1
cc -Wall -Wextra -shared -fPIC "$here/advisor.c" -o "$folder/advisor.so" || exit 1
echo 'int other;' | cc -shared -fPIC -x c - -o "$folder/other.so" || exit 1
# By this machine a ring is slow: each message takes long.
cat >"$folder/profile.json" <<'JSON'
{"echelon_profile": 1, "parameters": {"inside": {"model": "hockney", "alpha": 1e-3, "beta": 1e-9}, "between": {"model": "hockney", "alpha": 1e-3, "beta": 1e-9}},
 "samples": [{"collective": "allreduce", "p": 4, "layout": "1x4", "recipe": "native", "bytes": 8192, "seconds": 2e-3}]}
JSON
export ECHELON_TRIALS=0 ECHELON_PROFILE=$folder/profile.json ECHELON_WINDOW=0
by() { # LIBRARY: the recipes that ran
    ECHELON_ADVISOR=$1 ECHELON_SUMMARY=json:$folder/summary.json ours 4 "$folder/sums" >"$folder/out" 2>"$folder/err" ||
        fail "$1: it ends with an error: $(cat "$folder/err")"
    grep -q "^sum 4$" "$folder/out" || fail "$1: a wrong result"
}
by "$folder/advisor.so"
[ "$(count "$folder/summary.json" allreduce ring)" -ge 20 ] || fail "not the model's choice: $(cat "$folder/summary.json" "$folder/err")"
for wrong in "$folder/other.so" "$folder/none.so"; do
    by "$wrong"
    [ "$(count "$folder/summary.json" allreduce ring)" -eq 0 ] || fail "$wrong: a ring without a model"
    [ "$(grep -c "^echelon: ECHELON_ADVISOR is not used: $wrong" "$folder/err")" -eq 1 ] || fail "$wrong: not one sentence: $(cat "$folder/err")"
done
exit "$failures"
