#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Error handlers (returning, fatal, and the user's) see the error class that they see without Echelon, and as
# often. For an invalid communicator the handler ran three times, for an invalid datatype or operation twice.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/error_classes.c" -o "$folder/errors" || exit 1
export ECHELON_REDUCE=binomial ECHELON_ALLREDUCE="leaders(G=2, binomial, ring)" ECHELON_BCAST=binomial ECHELON_BARRIER=dissemination
native 3 "$folder/errors" >"$folder/plain" || fail "it does not run by itself: $(cat "$folder/plain")"
ours 3 "$folder/errors" >"$folder/with" 2>"$folder/complaints" || fail "it ends with an error: $(cat "$folder/complaints")"
cat "$folder/plain"
diff "$folder/plain" "$folder/with" || fail "classes differ"
[ "$(grep -c 'own .*: \([a-z]*\), \1 1' "$folder/plain")" -ge 10 ] || fail "the user's handler was not called"
for call in 1 4; do
    codes=()
    for kind in native ours; do
        code=0
        $kind 3 "$folder/errors" fatal $call >"$folder/output" 2>"$folder/complaints" || code=$?
        grep -q "nobody minded" "$folder/output" && fail "$kind: a fatal error is not fatal"
        grep -qiE 'segmentation|signal 11|SIGSEGV' "$folder/complaints" && fail "$kind: a crash: $(cat "$folder/complaints")"
        codes+=("$code")
    done
    [[ ${codes[0]} -ne 0 && ${codes[1]} -ne 0 ]] || fail "call $call under MPI_ERRORS_ARE_FATAL ends with ${codes[*]}"
    echo "fatal $call: exit codes ${codes[*]}"
done
exit "$failures"
