#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Nothing set, in virtual time: the first calls take native time; no rank decides before the calls have paid
# for it; and in the end there is a gain.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; exit 1; }
for i in $(seq 0 27); do echo "node-$((i % 7))"; done >"$folder/hosts"

# Arguments: platform, then arguments of series. Prints the time through Echelon over native after 20, 200,
# ... calls.
series() {
    "$TEST_SOURCE/scripts/smpirun" -n 28 --costs "${COSTS:-none}" -platform "$TEST_SOURCE/bench/platforms/$1.xml" \
        -hostfile "$folder/hosts" --cfg=smpi/allreduce:ompi bin/series "${@:2}" >"$folder/table" 2>"$folder/said" || { cat "$folder/said" >&2; exit 1; }
    awk -F, 'NR > 1 && $3 != "next" { printf "%.4f ", $4 / $5 }' "$folder/table"
}
# A value of the table in ns. Arguments: number of calls, column.
column() { awk -F, -v calls="$1" -v place="$2" '$3 == calls { printf "%d\n", 1e9 * $place }' "$folder/table"; }

# Arguments: a ratio, a limit. False without a ratio: the program failed.
below() { awk -v ratio="$1" -v limit="$2" 'BEGIN { exit !(ratio > 0 && ratio < limit) }'; }
# A nonblocking request to rank 0 delays no rank: a ratio of almost 1.
nearly_native() { below "$1" 1.02; }

read -r first second <<<"$(series fattree 200 0 allreduce:8)"
[ "$first" = 1.0000 ] || fail "the first 20 calls of 8 bytes took $first times native"
# 200 calls of some microseconds take less than a decision: only a few messages were exchanged.
below "$second" 1.03 || fail "200 calls of 8 bytes took $second times native"
ECHELON_SUMMARY=text series fattree 200 0 allreduce:8 >/dev/null
awk '/^  allreduce .*\.\./ { calls[$NF] += $3 } END { exit !(calls["native"] == 205 && length(calls) == 1) }' "$folder/said" || fail "not all of 200 short calls, and of 5 alone, were native: $(cat "$folder/table" "$folder/said")"

# The summary names the reason.
because() { # words, arguments of series
    ECHELON_SUMMARY=text series "${@:2}" >/dev/null
    grep -q "^  native because  .*$1" "$folder/said" || fail "no reason '$1': $(cat "$folder/said")"
}
because 'allreduce of 8 or more: the calls were too few to pay for a decision' fattree 20 0 allreduce:8
because 'a trial had not found its winner' infiniband 139 0 allreduce:65536
because 'gatherv: the calls were too few to pay for a decision' infiniband 20 0 gatherv:64
because 'gatherv: not all ranks know its size' infiniband --part 3x4 20 0 gatherv:64
because 'fewer than 4 ranks' infiniband --part 3x4 20 0 allreduce:65536
export ECHELON_TRIALS=0
because 'allreduce: trials are off' infiniband 20 0 allreduce:65536
unset ECHELON_TRIALS

read -r first second <<<"$(series infiniband 200 0 allreduce:65536)"
nearly_native "$first" || fail "the first 20 calls of 64 KiB took $first times native"
below "$second" 0.9 || fail "200 calls of 64 KiB gained nothing: $second times native"

# Trials use MPI_Init's measurement of the network.
ECHELON_SUMMARY=text series infiniband 20 0 allreduce:65536 >/dev/null
grep -q 'between nodes .* as MPI_Init saw' "$folder/said" "$folder/table" || fail "MPI_Init saw no message between nodes: $(cat "$folder/said")"
ECHELON_MODE=native ECHELON_SUMMARY=text series infiniband 20 0 allreduce:65536 >/dev/null
! grep -q 'between nodes' "$folder/said" "$folder/table" || fail "nobody chooses, and MPI_Init looks at the network"

# The other collectives; lengths count one block.
for call in allgather:16384 reduce_scatter:16384 scan:65536; do
    read -r first second <<<"$(series infiniband 200 0 $call)"
    nearly_native "$first" || fail "the first 20 calls of $call took $first times native"
    below "$second" 0.9 || fail "200 calls of $call gained nothing: $second times native"
done

# Ranks know only their own lengths: a trial finds a faster recipe, where messages cost processor time.
for call in gatherv:64 alltoallv:64; do
    read -r first second _ <<<"$(COSTS=measured ECHELON_TRIALS=50 ECHELON_SUMMARY=text series infiniband 1600 0 $call)"
    nearly_native "$first" || fail "the first 20 calls of $call took $first times native"
    nearly_native "$second" || fail "200 calls of $call took $second times native"
    awk '/ trial .*native took/ { found = $(NF - 4) > 1.05 * $(NF - 1) } END { exit !found }' "$folder/said" ||
        fail "nothing was found for $call: $(cat "$folder/table" "$folder/said")"
done

# Short calls with a root try no recipe that makes the root wait for others, like lanes; long ones may.
tries() {  # a call, a word in recipes
    rm -f "$folder/learned"
    ECHELON_LEARN="$folder/learned" ECHELON_TRIALS=50 ECHELON_SUMMARY=text series infiniband 200 0 "$1" >/dev/null
    grep -qh " tried .*$2" "$folder/table" "$folder/said"
}
tries bcast:1024 leaders || fail "nothing was tried for short broadcasts: $(cat "$folder/table" "$folder/said")"
tries bcast:1024 lanes && fail "the root of a short broadcast was made to wait: $(cat "$folder/table" "$folder/said")"
tries bcast:65536 lanes || fail "long broadcasts did not try lanes: $(cat "$folder/table" "$folder/said")"

# If ranks never synchronize, rank 0 sends its decisions by an asynchronous broadcast, even if no communicator
# of ours is beside the program's.
rooted() {
    "$TEST_SOURCE/scripts/smpirun" -n 28 -platform "$TEST_SOURCE/bench/platforms/infiniband.xml" -hostfile "$folder/hosts" \
        --cfg=smpi/reduce:ompi bin/rooted "$@" >"$folder/table" 2>"$folder/said" || { cat "$folder/said" >&2; exit 1; }
    awk -F, 'NR > 1 { printf "%.4f ", $2 / $3 }' "$folder/table"
}
for what in sum rows; do
    read -r first _ last <<<"$(rooted 600 65536 $what)"
    nearly_native "$first" || fail "the first 20 rounds of $what took $first times native"
    below "$last" 0.95 || fail "600 rounds of $what gained nothing: $last times native"
done

# Ranks slept in real time, hence none came late. Ranks that arrive within ten calls' time make the program
# wait for most of it: no less than if calls took no time.
series infiniband 20 0 allreduce:65536 >/dev/null
together=$(column 20 5)
[ "$(column next 5)" -gt 0 ] && [ "$(column 20 6)" = 0 ] || fail "no call alone, or ranks that wait for nobody: $(cat "$folder/table")"
series infiniband 20 10 allreduce:65536 >/dev/null
late=$(column 20 5) least=$(column 20 6)
[ "$least" -gt $((8 * together)) ] && [ "$least" -lt $((10 * together)) ] || fail "28 ranks that come over ten calls wait $least ns for the last, beside $together"
[ "$late" -gt "$least" ] && [ "$late" -lt $((least + 2 * together)) ] || fail "late by up to ten calls: $late ns, at least $least, beside $together"
# Every fourth rank sends fewer messages.
series infiniband --part 7x4 20 0 allreduce:65536 >/dev/null
[ "$(column 20 5)" -lt "$together" ] && [ "$(column 20 5)" -gt 0 ] || fail "7 ranks take as long as 28: $(cat "$folder/table")"
