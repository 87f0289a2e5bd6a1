#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One rank is killed in the middle of a collective: the job ends as it does natively, and no rank stays behind.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/killed.c" -o "$folder/killed" || exit 1
left_behind() { pgrep -f "^$folder/killed" >/dev/null; }
export ECHELON_ALLREDUCE="leaders(G=2, binomial, recursive_doubling)"
for moment in before operation; do
    codes=()
    for kind in native ours; do
        code=0
        $kind 4 "$folder/killed" $moment >"$folder/output" 2>"$folder/errors" || code=$?
        codes+=("$code")
        [ "$(sed '/^$/,$d' "$folder/output")" = begun ] || fail "$kind, killed $moment: prints $(cat "$folder/output" "$folder/errors")"
        [ $code -ne 124 ] || fail "$kind, killed $moment: the job does not end"
        for _ in {1..600}; do left_behind || break; sleep 0.1; done
        if left_behind; then fail "$kind, killed $moment: $(pgrep -af "^$folder/killed") stays behind"; fi
    done
    [[ ${codes[0]} -ne 0 && ${codes[0]} -eq ${codes[1]} ]] || fail "killed $moment: the job ends with ${codes[1]}, natively with ${codes[0]}"
    echo "killed $moment: exit code ${codes[1]}"
done
exit "$failures"
