#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Great numbers of short-lived communicators, and many that are alive at once: results are right, memory stays
# flat, no file stays open, and nothing runs out; also with shared memory and trials, in many calls between them.
# drop_in_churn_full does it with 100,000 communicators and 10,000,000 calls.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"
made=${CHURN_MADE:-300} alive=500 calls=100

"mpicc.$TEST_MPI" -O2 -Wall -Wextra "$here/churn.c" -o "$folder/churn" || exit 1
grown() { sed -n 's/^0 wrong, grown by \(-\?[0-9]*\) KiB, 0 open files$/\1/p' "$1"; }
native 4 "$folder/churn" "$made" "$alive" >"$folder/plain" || fail "it does not run by itself: $(cat "$folder/plain")"
# Two partitions for each communicator; a partition without communicators of its own uses the whole one.
export ECHELON_ALLREDUCE="0-1K: leaders(G=2, binomial, recursive_doubling); 1K-: positions(size=2, recursive_doubling, ring)"
export ECHELON_SUMMARY=json:$folder/summary.json
ours 4 "$folder/churn" "$made" "$alive" >"$folder/with" || fail "it ends with an error: $(cat "$folder/with")"
cat "$folder/plain" "$folder/with"
for output in plain with; do [ -n "$(grown "$folder/$output")" ] || fail "results are wrong, or files stay open"; done
[ "$failures" -eq 0 ] || exit 1
[ "$(($(grown "$folder/with") - $(grown "$folder/plain")))" -lt 512 ] || fail "memory grows"
for recipe in leaders positions; do
    [ "$(count "$folder/summary.json" allreduce "$recipe")" -ge $((made / 5 + 2 * alive)) ] || fail "$recipe did not run: $(cat "$folder/summary.json")"
done

unset ECHELON_ALLREDUCE
export ECHELON_TRIALS=50
ours 2 "$folder/churn" "$made" 10 "$calls" >"$folder/shared" || fail "with shared memory and trials it ends with an error: $(cat "$folder/shared")"
cat "$folder/shared"
shared=$(grown "$folder/shared")
[ -n "$shared" ] || { fail "with shared memory and trials: results are wrong, or files stay open"; exit 1; }
[ "$((shared - $(grown "$folder/plain")))" -lt 512 ] || fail "memory grows with shared memory and trials"
[ "$(count "$folder/summary.json" allreduce shm)" -gt 0 ] || fail "no call ran in shared memory"
exit "$failures"
