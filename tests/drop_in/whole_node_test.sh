#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# As many ranks as a large node has, on any number of processors: results through shared memory are right.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -O2 -Wall -Wextra "$here/whole_node.c" -o "$folder/whole_node" || exit 1
export ECHELON_ALLREDUCE=shm ECHELON_SCAN=shm ECHELON_BCAST=shm ECHELON_ALLTOALL=shm ECHELON_SUMMARY=json:$folder/summary.json
for ranks in 33 64; do
    output=$(ours $ranks "$folder/whole_node" 5 2>"$folder/errors") || fail "$ranks ranks: it ends with an error: $(head -c 2000 "$folder/errors")"
    echo "$output"
    [ "$output" = "$ranks ranks, 0 wrong" ] || fail "$ranks ranks: $output"
    for collective in allreduce scan bcast alltoall; do
        [ "$(count "$folder/summary.json" $collective shm)" -eq 40 ] || fail "$ranks ranks: $collective did not run: $(head -c 2000 "$folder/errors")"
    done
    ! grep "messages" "$folder/errors" || fail "$ranks ranks: there was no memory"
done
exit "$failures"
