#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A cluster of namespaces: 4 nodes of 4 ranks compute correct results with the drop-in library in front. The
# cluster leaves nothing behind after any kind of end.
set -u
. "$TEST_SOURCE/tests/cluster/cluster.sh"
expect() { [[ "$2" == *"$3"* ]] || fail "$1: expected '$3' in: $2"; }
run() { "$tool" cluster run --name "$name" --quiet "$@"; }

# An impossible request is refused in a sentence.
refused() {  # expected words of the sentence, exit code, arguments
    local sentence code=0
    sentence=$("$tool" cluster "${@:3}" 2>&1 >/dev/null) || code=$?
    [ $code -eq "$2" ] || fail "echelon cluster ${*:3}: exit code $code, not $2: $sentence"
    expect "echelon cluster ${*:3}" "$sentence" "$1"
    [ "$(wc -l <<<"$sentence")" -eq 1 ] || fail "echelon cluster ${*:3}: more than a sentence: $sentence"
}
refused "is none of up, run, status, down" 2 sideways
refused "--latency: '5' is no time such as" 2 up --name "$name" --latency 5 4
refused "expected 1 to 200" 2 up --name "$name" 0
refused "expected 1 to 4, the number of nodes" 2 up --name "$name" --racks 5 4
refused "is no name of a cluster" 2 up --name ../x 4
refused "cluster $name is not up" 2 run --name "$name" -n 4 -- ./app
refused "put the program behind the options" 2 run --name "$name" -n 4
refused "put the program behind the options" 2 run --name "$name" -n 4 --
# It was refused without --.
for options in "-n 4" -n4 "--ranks 4 -q" "--native --ranks=4" ""; do
    # shellcheck disable=SC2086
    refused "cluster $name is not up" 2 run --name "$name" $options ./app -n
done
chmod 755 "$folder"
sentence=$(setpriv --reuid 65534 --clear-groups "$tool" cluster up --name "$name" 4 2>&1) && fail "anybody may make a cluster"
expect "not root" "$sentence" "it needs root"

# A second `up` succeeds; another shape is refused.
"$tool" cluster up --name "$name" --latency 5ms --rate 20M 4 || { fail "it does not come up"; exit 1; }
expect "up twice" "$("$tool" cluster up --name "$name" --latency 5ms --rate 20M 4)" "was up already"
refused "is up with 4 nodes, 5 ms one way, 20 Mbit/s" 2 up --name "$name" --latency 6ms 4

# MPI sees the nodes as nodes, and messages between them pass through the wire.
cat >where.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
    int rank = 0, there = 0;
    char host[64];
    MPI_Comm node;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &there);
    gethostname(host, sizeof host);
    printf("%d %s %d\n", rank, host, there);
    fflush(stdout);
    if (argc > 1) sleep(atoi(argv[1]));
    MPI_Finalize();
    return argc > 1 ? 0 : 7;
}
C
"mpicc.$TEST_MPI" where.c -o where || exit 1
code=0
run -n 16 -- ./where >block 2>errors || code=$?
[ $code -eq 7 ] || fail "exit code $code, the program's is 7: $(cat errors)"
run -n 4 ./where 0 >unmarked || fail "without -- it does not run"
[ "$(wc -l <unmarked)" -eq 4 ] || fail "without --: $(cat unmarked)"
for rank in {0..15}; do echo "$rank n$((rank / 4)) 4"; done | diff - <(sort -n block) || fail "ranks in blocks are placed otherwise"
run -n 6 --map rr -- ./where 2>errors | sort -n >cyclic
printf '%s\n' "0 n0 2" "1 n1 2" "2 n2 1" "3 n3 1" "4 n0 2" "5 n1 2" | diff - cyclic || fail "ranks in turn are placed otherwise"
expect "status" "$("$tool" cluster status --name "$name")" "4 nodes, 5 ms one way, 20 Mbit/s"
[ "$("$tool" cluster status --name "$name" | awk '/^n0/ { print $2 }')" -gt 1000 ] || fail "nothing passed through the wire"

# All collectives in all their forms are right with nothing set.
"mpicc.$TEST_MPI" "$TEST_SOURCE/tests/drop_in/calls.c" -o calls || exit 1
run -n 16 --map rr -- ./calls >plain 2>errors || fail "the calls do not run by themselves: $(cat errors)"
ECHELON_SUMMARY=json:$folder/summary.json run -n 16 --map rr --echelon -- ./calls >ours 2>errors || fail "the calls do not run: $(cat errors)"
[ "$(wc -l <plain)" -gt 20 ] || fail "too few results"
diff plain ours >difference || fail "other results: $(head -3 difference)"
[ -s summary.json ] || fail "no summary: the drop-in library was not in front"

# Only one program runs at a time. A run that is ended or killed leaves no rank behind, and the next one is
# served.
long=300.$$  # seconds, and the mark of these processes
left() { pgrep -cf "^\./where $long\$"; }
start() {
    "$tool" cluster run --name "$name" --quiet -n 8 -- ./where "$long" >output 2>&1 &
    first=$!
    until [ "$(grep -c ' n. ' output)" -eq 8 ]; do
        kill -0 "$first" 2>/dev/null || { fail "ranks do not start: $(cat output)"; return; }
        sleep 0.2
    done
}
start
refused "a program runs on cluster $name already" 2 run --name "$name" -n 4 -- ./where
[ "$(left)" -eq 8 ] || fail "$(left) ranks are found, not 8"
kill "$first"
wait "$first" && fail "a run that was asked to end says that all is well"
[ "$(left)" -eq 0 ] || fail "$(left) ranks are left of a run that was asked to end"
start
kill -9 "$first"
wait "$first" 2>/dev/null
run -n 8 -- ./where 0 >output 2>&1 || fail "after a killed run the next one is not served: $(cat output)"
[ "$(left)" -eq 0 ] || fail "$(left) ranks are left of a run that was killed"

# All of it ends with its main process, at any kind of end.
processes() { pgrep -cf "cluster up --name $name "; }
[ "$(processes)" -eq 5 ] || fail "$(processes) processes, not the wire and 4 nodes"
pkill -9 -o -f "cluster up --name $name "
for _ in {1..9000}; do [ "$(processes)" -eq 0 ] && break; sleep 0.2; done
[ "$(processes)" -eq 0 ] || fail "$(processes) processes are left of a killed cluster"
"$tool" cluster status --name "$name" >output && fail "a killed cluster is up: $(cat output)"
"$tool" cluster up --name "$name" 2 >/dev/null || fail "no cluster of the name of a killed one"
run -n 2 -- ./where 0 >/dev/null 2>errors || fail "the next cluster does not run: $(cat errors)"
expect "down" "$("$tool" cluster down --name "$name")" "is down"
expect "down twice" "$("$tool" cluster down --name "$name")" "was not up"
[ "$(processes)" -eq 0 ] || fail "$(processes) processes are left"
[ ! -e "/run/echelon-cluster/$name" ] || fail "a folder is left"
[ "$failures" -eq 0 ] && echo passed
exit "$failures"
