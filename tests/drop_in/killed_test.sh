#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One rank is killed in the middle of a collective: the job ends like it does natively, and no rank stays
# behind.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/killed.c" -o "$folder/killed" || exit 1
export ECHELON_ALLREDUCE="leaders(G=2, binomial, recursive_doubling)"
for moment in before operation; do killed $moment; done
exit "$failures"
