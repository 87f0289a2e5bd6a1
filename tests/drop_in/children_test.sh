#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A child that was forked and ended by exit wrote its parent's summary.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -D_GNU_SOURCE -Wall -Wextra "$here/children.c" -o "$folder/children" || exit 1
export ECHELON_SUMMARY=text ECHELON_ALLREDUCE=ring
ours 2 "$folder/children" >"$folder/output" 2>"$folder/complaints" || fail "it ends with an error: $(cat "$folder/complaints")"
grep -qx '0 wrong' "$folder/output" || fail "it is wrong: $(cat "$folder/output")"
[ "$(grep -c 'echelon: what ran' "$folder/complaints")" -eq 1 ] || fail "not one summary: $(cat "$folder/complaints")"
grep -q "echelon: what ran: children, 2 ranks" "$folder/complaints" && grep -q "^rank 0, " "$folder/complaints" || fail "it is not the parent's"
exit "$failures"
