#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Settings from outside: unknown, removed and wrong ones are reported once, by rank 0; the environment wins over
# the configuration file.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" "$here/sum.c" -o "$folder/app" || exit 1
run_it() { ours 3 "$folder/app" 1 >"$folder/output" 2>"$folder/errors" || fail "it ends with an error: $(cat "$folder/errors")"; }
says() {  # how often, a sentence
    local times
    times=$(grep -cF "$2" "$folder/errors")
    [ "$times" -eq "$1" ] || fail "said $times times, not $1: $2; standard error is: $(cat "$folder/errors")"
}

export ECHELON_CONFIG=$folder/echelon.conf
printf '%s\n' '# recipes' 'ECHELON_ALLREDUCE = ring' 'ECHELON_GROUPES = G=2' 'nonsense' >"$ECHELON_CONFIG"
ECHELON_SITE=here ECHELON_ALREDUCE=ring ECHELON_STRICT=maybe run_it
says 1 "echelon: ECHELON_SITE is unknown; write ECHELON_PLACE=site=NAME"
says 1 "echelon: ECHELON_ALREDUCE is unknown; did you mean ECHELON_ALLREDUCE?"
says 1 "echelon: ECHELON_STRICT is not used: 'maybe' is neither 0 nor 1"
says 1 "echelon: $ECHELON_CONFIG, line 3: ECHELON_GROUPES is unknown; did you mean ECHELON_GROUPS?"
says 1 "echelon: $ECHELON_CONFIG, line 4: expected NAME = value, such as ECHELON_TRIALS = 0"
says 5 "echelon: "

# A value may be anything: each message is one line.
long=$(printf 'x%.0s' {1..20000})
ECHELON_STRICT=$'may\nbe' ECHELON_TRIALS=$long run_it
says 1 "echelon: ECHELON_STRICT is not used: 'may\nbe' is neither 0 nor 1"
says 1 "echelon: ECHELON_TRIALS is not used: 'xxx"
awk '!/^echelon: / || length > 1500 { bad = 1 } END { exit bad }' "$folder/errors" || fail "no line each: $(cut -c1-200 "$folder/errors")"

export ECHELON_SUMMARY=json:$folder/summary.json
run_it
[ "$(count "$folder/summary.json" allreduce ring)" -eq 1 ] || fail "the configuration file was not heard"
ECHELON_ALLREDUCE=recursive_doubling run_it
[ "$(count "$folder/summary.json" allreduce recursive_doubling)" -eq 1 ] || fail "the environment does not win over the configuration file"
ECHELON_CONFIG=$folder/missing run_it
says 1 "echelon: the configuration file $folder/missing cannot be read"
# A FIFO was read as an empty file, which says nothing.
mkfifo "$folder/fifo"
for file in "$folder/fifo" /dev/zero; do
    ECHELON_CONFIG=$file ECHELON_PROFILE=$file run_it
    says 1 "echelon: the configuration file $file cannot be read: it is a pipe or a device, and no regular file"
    says 1 "echelon: the profile $file is not used: $file cannot be read: it is a pipe or a device, and no regular file"
    says 2 "echelon: "
done

# Info keys: a wrong one is named as the program wrote it. The key of one communicator leaves its calls to the library.
cat >"$folder/keys.c" <<'C'
#include <mpi.h>
int main(int argc, char** argv) {
    double mine = 1, sum = 0;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, argv[1], argv[2]);
    MPI_Comm_set_info(MPI_COMM_WORLD, info);
    MPI_Info_free(&info);
    for (int call = 0; call < 9; ++call) MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == 3 ? 0 : 1;
}
C
"mpicc.$TEST_MPI" "$folder/keys.c" -o "$folder/keys" || exit 1
key() { ours 3 "$folder/keys" "$@" >"$folder/output" 2>"$folder/errors" || fail "it ends with an error: $(cat "$folder/errors")"; }
key echelon_allreduce rings
says 1 "echelon: info key echelon_allreduce is not used: recipe 'rings', column 1: there is no algorithm or shape 'rings'; did you mean ring?"
key echelon_trials 5
says 1 "echelon: info key echelon_trials is unknown; 'echelon settings' prints the known ones"
ECHELON_CONFIG="" ECHELON_ALLREDUCE=ring key echelon_mode off
[ "$(count "$folder/summary.json" allreduce native)" -ge 8 ] && grep -q '"source": *"key"' "$folder/summary.json" || fail "the key does not switch Echelon off: $(cat "$folder/summary.json")"

# One rank asks for other sums than the rest: it did not take part in their steps, and results were wrong.
cat >"$folder/odds.c" <<'C'
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
    const char* const mpich = getenv("PMI_RANK");
    const char* const number = mpich != NULL ? mpich : getenv("OMPI_COMM_WORLD_RANK");
    if (number == NULL) return 2;
    setenv("ECHELON_REPRODUCIBLE", atoi(number) == 1 ? "1" : "any", 1);
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const float own = rank + 1;
    float before = 0, all = 0;
    MPI_Exscan(&own, &before, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &all, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    printf(before == rank * (rank + 1) / 2 && all == 6 ? "right\n" : "wrong: %g %g\n", before, all);
    MPI_Finalize();
    return 0;
}
C
"mpicc.$TEST_MPI" "$folder/odds.c" -o "$folder/app" || exit 1
run_it
[ "$(grep -c '^right$' "$folder/output")" -eq 3 ] || fail "ranks with different settings: $(cat "$folder/output" "$folder/errors")"
says 1 "have different ECHELON_ settings"
exit "$failures"
