#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The start-up benchmark of MPI_Init compares shared memory with the library: if it wins, it runs from the
# first call on, unless a setting says otherwise.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

[ "$(nproc)" -ge 2 ] || { echo "two ranks share a processor here: nothing is raced"; exit 77; }
for program in many long asks; do "mpicc.$TEST_MPI" -O2 -Wall -Wextra "$here/$program.c" -o "$folder/$program" -ldl || exit 1; done
# run CALLS: prints the number of allreduces through shared memory.
run() {
    ECHELON_SUMMARY=json:$folder/summary.json ours 2 "$folder/many" "$1" >"$folder/output" 2>"$folder/errors" || fail "many does not run: $(cat "$folder/errors")"
    [ "$(cat "$folder/output")" = right ] || fail "results are wrong: $(cat "$folder/output")"
    [ ! -s "$folder/errors" ] || fail "something is said: $(cat "$folder/errors")"
    count "$folder/summary.json" allreduce shm
}

# This number of calls is too small to pay for trials: the recipe comes from the start-up benchmark. A busy
# machine may lack time for it.
raced=
for _ in {1..20}; do
    [ "$(ECHELON_TRIALS=50 run 40)" -ge 20 ] && { raced=yes; break; }
done
python3 - "$folder/summary.json" <<'PYTHON' || fail "what was raced is not told: $(cat "$folder/summary.json")"
import json, sys
rows = [row for one in json.load(open(sys.argv[1]))["communicators"] for row in one["calls"]]
for row in rows:
    if row["recipe"] == "shm":
        assert row["source"] in ("startup", "trial") or row["tried"], row
PYTHON
# What MPI_Init chose was labelled as the winner of a trial.
chosen_in_init() {
    python3 - "$folder/summary.json" <<'PYTHON'
import json, sys
rows = [row for one in json.load(open(sys.argv[1]))["communicators"] for row in one["calls"]]
sys.exit(not any(row["recipe"] == "shm" and row["source"] == "startup" for row in rows))
PYTHON
}
[ -z "$raced" ] || chosen_in_init || fail "what MPI_Init chose is not told: $(cat "$folder/summary.json")"
# Vectors beyond the benchmark's lengths are tried at once, and on other communicators as soon as calls have
# paid for their memory.
long_ones() {
    ECHELON_TRIALS=50 ECHELON_SUMMARY=json:$folder/summary.json ours 2 "$folder/long" 400 >"$folder/output" 2>"$folder/errors" || fail "long does not run: $(cat "$folder/errors")"
    [ "$(cat "$folder/output")" = right ] || fail "long vectors: results are wrong: $(cat "$folder/output")"
    python3 - "$folder/summary.json" <<'PYTHON'
import json, sys
shared = {one.get("name"): sum(row["calls"] for row in one["calls"] if row["collective"] == "allreduce" and row["recipe"] == "shm")
          for one in json.load(open(sys.argv[1]))["communicators"]}
world = shared.pop("MPI_COMM_WORLD")
sys.exit(not (world > 250 and sum(shared.values()) > 0))
PYTHON
}
longer=
for _ in {1..10}; do
    [ -n "$raced" ] && long_ones && { longer=yes; break; }
done
# More ranks than processors, which wait without yielding: no benchmark, and shared memory from the first call
# on.
if [ "$TEST_MPI" = mpich ]; then
    ranks=$(($(nproc) + 1))
    crowd() { TEST_YIELD='' ECHELON_SUMMARY=json:$folder/summary.json started "$library" "$ranks" "$folder/many" 20 >"$folder/output" 2>"$folder/errors"; }
    if [ "$ranks" -le 16 ]; then
        crowd || fail "a crowd: many does not run: $(cat "$folder/errors")"
        [ "$(cat "$folder/output")" = right ] || fail "a crowd: results are wrong: $(cat "$folder/output")"
        [ "$(count "$folder/summary.json" allreduce shm)" -ge 10 ] || fail "a crowd: it did not run: $(cat "$folder/summary.json")"
        chosen_in_init || fail "a crowd: what MPI_Init chose is not told: $(cat "$folder/summary.json")"
        ECHELON_TRIALS=0 crowd || fail "a crowd, nothing tried: many does not run: $(cat "$folder/errors")"
        [ "$(count "$folder/summary.json" allreduce shm)" -eq 0 ] || fail "a crowd, nothing tried: it ran"
        # MPI_Init took a turn of the scheduler for each of some ten steps: ranks must yield in its exchanges,
        # and the launcher knows the ranks of this node.
        mpicc.mpich -O2 -Wall -Wextra -shared -fPIC "$here/kept.c" -o "$folder/kept.so" || exit 1
        kept() { TEST_YIELD='' started "$folder/kept.so:$library" "$ranks" "$@" 2>&1 >"$folder/output" | grep kept: && [ "$(cat "$folder/output")" = right ]; }
        said=$(kept "$folder/many" 20) || fail "counted in MPI_Init: results are wrong: $(cat "$folder/output")"
        [ "$said" = "kept: 0 collectives, 0 splits" ] || fail "MPI_Init keeps processors: $said"
        # One launcher knows of fewer ranks: all ask the library.
        printf '#!/bin/sh\n[ "$PMI_RANK" != 1 ] || export MPI_LOCALNRANKS=1\nexec "$@"\n' >"$folder/fewer"
        chmod +x "$folder/fewer"
        said=$(kept "$folder/fewer" "$folder/many" 20) || fail "one rank alone: results are wrong: $(cat "$folder/output")"
        [[ "$said" = *" 1 splits" ]] || fail "one rank's launcher knows of fewer: $said"
        # The user did not request shared memory: its absence is not reported.
        printf 'int memfd_create(const char* name, unsigned flags) { return name == 0 && flags == 0 ? 0 : -1; }' >"$folder/none.c"
        gcc -shared -fPIC "$folder/none.c" -o "$folder/none.so" || exit 1
        TEST_YIELD='' started "$folder/none.so:$library" "$ranks" "$folder/many" 20 >"$folder/output" 2>"$folder/errors" || fail "a crowd without memory: many does not run: $(cat "$folder/errors")"
        [ "$(cat "$folder/output")" = right ] && [ ! -s "$folder/errors" ] || fail "a crowd without memory: $(cat "$folder/output" "$folder/errors")"
        # One rank yields its processor, and the others do not: all must choose equally.
        cat >"$folder/odd" <<'SH'
#!/bin/sh
[ "$PMI_RANK" != 0 ] || export LD_PRELOAD="$TEST_BUILD/lib/libyield.so:$LD_PRELOAD"
exec "$@"
SH
        chmod +x "$folder/odd"
        TEST_YIELD='' ECHELON_SUMMARY=json:$folder/summary.json started "$library" "$ranks" "$folder/odd" "$folder/many" 20 >"$folder/output" 2>"$folder/errors" ||
            fail "one rank yields: many does not run: $(cat "$folder/errors")"
        [ "$(cat "$folder/output")" = right ] || fail "one rank yields: results are wrong: $(cat "$folder/output")"
        [ "$(count "$folder/summary.json" allreduce shm)" -eq 0 ] || fail "one rank yields: shared memory ran at once"
    fi
fi
# echelon_would_run names the recipe that runs.
ECHELON_TRIALS=50 ECHELON_SUMMARY=json:$folder/summary.json ours 2 "$folder/asks" >"$folder/output" 2>"$folder/errors" || fail "asks does not run: $(cat "$folder/errors")"
[ "$(count "$folder/summary.json" bcast "$(cat "$folder/output")")" -gt 0 ] || fail "echelon_would_run says $(cat "$folder/output"): $(cat "$folder/summary.json")"
for setting in ECHELON_TRIALS=0 ECHELON_MODE=native ECHELON_REPRODUCIBLE=1 ECHELON_WINDOW=0 ECHELON_GROUPS=sqrt; do
    found=$(export "${setting?}"; run 40)
    [ "$found" -eq 0 ] || fail "$setting: $found calls went through shared memory"
done
[ -n "$longer" ] || { echo "the machine is too busy: no race came to an end"; [ "$failures" -eq 0 ] && exit 77; }
exit "$failures"
