#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No test compared the agreements inside the drop-in library. In builds with assertions all agreements show
# their places, in MPI_Init, for new communicators and over one communicator; without assertions none does.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

mpicc.mpich -Wall -Wextra -shared -fPIC "$here/meetings.c" -o "$folder/meetings.so" -ldl || exit 1
mpicc.mpich -Wall -Wextra "$here/lines.c" -o "$folder/lines" || exit 1
export ECHELON_BCAST="leaders(size=2, binomial, binomial)" ECHELON_REDUCE="leaders(size=2, binomial, binomial)" ECHELON_ALLREDUCE=ring
for communicators in 3 0; do
    ECHELON_COMMUNICATORS=$communicators started "$library:$folder/meetings.so" 4 "$folder/lines" >"$folder/output" 2>"$folder/errors" ||
        fail "$communicators communicators: it ends with an error: $(cat "$folder/errors")"
    grep -qx "0 wrong" "$folder/output" || fail "$communicators communicators: results are wrong: $(cat "$folder/output")"
    [[ "$TEST_YIELD" == *libasan* ]] && expected=4 || expected=0  # ranks
    [ "$(grep -c " meetings$" "$folder/output")" -eq $expected ] || fail "$communicators communicators: not $expected ranks met: $(cat "$folder/output")"
done
exit "$failures"
