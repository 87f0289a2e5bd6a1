#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `echelon simulate -- ./app`: a program that is built for SimGrid runs on our platforms, with predictable
# times, and combining takes time. The platforms equal the output of their script.
set -u
tool=$TEST_BUILD/bin/echelon
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
fail() {
    echo "FAILED: $1"
    failures=1
}
expect() { [[ "$2" == *"$3"* ]] || fail "$1: expected '$3' in: $2"; }

"$TEST_SOURCE/bench/platforms/generate" --check || fail "bench/platforms"
for seed in {1..30}; do "$TEST_SOURCE/bench/platforms/generate" -o . "random:$seed" || fail "seed $seed"; done
"$TEST_SOURCE/bench/platforms/generate" -o . --check random:7 || fail "a seed that gives this and that"
for hosts in random-*.hosts; do
    ranks=$(wc -l <"$hosts")
    { [ "$ranks" -ge 24 ] && [ "$ranks" -le 256 ]; } || fail "$hosts has $ranks ranks"
done

# Rank 0 waits for a message of 1000 bytes to the last rank and back, and for a sum of a million bytes.
cat >app.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
enum { bytes = 1000000 };
static double in[bytes / 8], out[bytes / 8];
int main(int argc, char** argv) {
    int rank = 0, ranks = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const double start = MPI_Wtime();
    for (int to = 0; to < 2; ++to)
        if (rank == (to == 0 ? 0 : ranks - 1)) MPI_Send(in, 1000, MPI_BYTE, to == 0 ? ranks - 1 : 0, 0, MPI_COMM_WORLD);
        else if (rank == (to == 0 ? ranks - 1 : 0)) MPI_Recv(in, 1000, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double middle = MPI_Wtime();
    MPI_Reduce(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d ranks, %.0f ns, %.0f ns, %s\n", ranks, (middle - start) * 1e9, (MPI_Wtime() - middle) * 1e9, argc > 1 ? argv[1] : "");
    MPI_Allreduce(in, out, 1024, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return argc > 2;
}
C
smpicc -O1 app.c -o app >/dev/null 2>&1 || { fail "smpicc"; exit 1; }
expect "hockney" "$("$tool" simulate -n 2 --gamma 0 -- ./app words)" "2 ranks, 22032 ns, 1010016 ns, words"
expect "a word with blanks" "$("$tool" simulate -n 2 -- ./app 'two words' 2>&1)" "'two words': SimGrid's smpirun takes arguments apart at blanks"
expect "combining is charged" "$("$tool" simulate -n 2 --gamma 0.5ns -- ./app)" "2 ranks, 22032 ns, 1510016 ns"
expect "inside a node of 16 cores" "$("$tool" simulate --platform fat_nodes -n 16 --costs none -- ./app)" "16 ranks, 654 ns"
# Each of two messages of 1000 bytes costs 0.397 us to send and 1.492 us to receive.
expect "with costs" "$("$tool" simulate --platform fat_nodes -n 16 -- ./app)" "16 ranks, 4432 ns"
expect "unknown costs" "$("$tool" simulate --platform fat_nodes -n 16 --costs some -- ./app 2>&1)" "--costs: 'some' is none of measured, none"
for platform in $("$TEST_SOURCE/bench/platforms/generate" --list); do
    expect "$platform" "$("$tool" simulate --platform "$platform" --each 1 -n 24 -- ./app)" "24 ranks, "
done
for map in block rr shuffled; do "$tool" simulate --platform gige -n 10 --each 4 --map $map -- ./app; done >maps
[ "$(sort -u maps | wc -l)" -ge 2 ] || fail "placement makes no difference: $(cat maps)"
ranks=$(wc -l <random-7.hosts)
expect "a drawn one" "$("$tool" simulate --platform random:7 -- ./app)" "$ranks ranks, "
expect "a file" "$("$tool" simulate --platform random-7.xml --hosts random-7.hosts -n 24 --native mpich -- ./app)" "24 ranks, "
for rules in openmpi ompi; do "$tool" simulate --platform gige --each 4 -n 8 --native $rules -- ./app >/dev/null || fail "8 ranks by the rules of $rules"; done
# SimGrid's own impi ended programs at some lengths.
"$tool" simulate --platform gige --each 4 -n 48 --native impi -- ./app >/dev/null || fail "48 ranks by the rules of impi"
code=0
"$tool" simulate -n 2 -- ./app a b >/dev/null 2>&1 || code=$?
[ $code -ne 0 ] || fail "the exit code of the program is lost"

refused() {  # what is expected in the sentence, arguments
    local sentence code=0
    sentence=$("$tool" simulate "${@:2}" 2>&1 >/dev/null) || code=$?
    [ $code -eq 2 ] || fail "echelon simulate ${*:2}: exit code $code, not 2: $sentence"
    expect "echelon simulate ${*:2}" "$sentence" "$1"
    [ "$(wc -l <<<"$sentence")" -eq 1 ] || fail "echelon simulate ${*:2}: more than a sentence: $sentence"
}
refused "there is no such file, and 'gig' is none of" --platform gig -n 4 -- ./app
refused "need 256 nodes; this platform has 144" --platform gige -n 1024 -- ./app
refused "did you mean gige?" --platform gigee -n 4 -- ./app
refused "did you mean mpich?" --native mpihc -n 4 -- ./app
refused "none.hosts cannot be read: No such file or directory" --hosts none.hosts -n 4 -- ./app
refused "is none of block, rr, shuffled" --map cyclic -n 4 -- ./app
refused "is none of mpich, openmpi, mvapich2, impi" --native lam -n 4 -- ./app
refused "is not built for SimGrid" -n 4 -- /bin/true
refused "there is no program" -n 4 -- ./nothing
refused "the hosts are for 1 to" --hosts random-7.hosts -n 4000 -- ./app
[ "$failures" -eq 0 ] && echo passed
exit "$failures"
