#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A rank that failed alone during the creation of communicators took it for "none is left", and went on to an
# agreement that the others never reached.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -D_GNU_SOURCE -Wall -Wextra -rdynamic "$here/starved.c" -o "$folder/starved" || exit 1
export ECHELON_ALLREDUCE='leaders(G=2, binomial, binomial)'
touch "$TOLD"
ours 4 "$folder/starved" >"$folder/launcher" 2>&1  # its exit code is the launcher's
grep -q '^rank 1: .*memory' "$TOLD" || fail "the rank does not hear why: $(cat "$TOLD" "$folder/launcher")"
exit "$failures"
