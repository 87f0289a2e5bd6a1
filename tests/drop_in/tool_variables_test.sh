#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Settings and totals are variables of MPI_T where the MPI library has a registry for them: Open MPI 4. Elsewhere there
# is none of that name.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

cat >"$folder/list.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* Echelon's variables, with their values after 5 allreduces. */
static void controls(void) {
    int count, i;
    MPI_T_cvar_get_num(&count);
    for (i = 0; i < count; ++i) {
        char name[256], about[4096], value[4096] = "";
        int name_length = sizeof name, about_length = sizeof about, verbosity, bind, scope, elements;
        MPI_Datatype type;
        MPI_T_enum names;
        MPI_T_cvar_handle handle;
        if (MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &names, about, &about_length, &bind, &scope))
            continue;
        if (strncmp(name, "echelon_", 8) != 0) continue;
        MPI_T_cvar_handle_alloc(i, NULL, &handle, &elements);
        MPI_T_cvar_read(handle, value);
        MPI_T_cvar_handle_free(&handle);
        printf("control %s %s %d\n", name, value, type == MPI_CHAR && scope == MPI_T_SCOPE_CONSTANT && *about);
    }
}

static void totals(void) {
    int count, i;
    MPI_T_pvar_session session;
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_num(&count);
    for (i = 0; i < count; ++i) {
        char name[256], about[4096];
        int name_length = sizeof name, about_length = sizeof about;
        int verbosity, kind, bind, only_read, goes_on, atomic, elements;
        double value = 0;
        unsigned long long number = 0;
        MPI_Datatype type;
        MPI_T_enum names;
        MPI_T_pvar_handle handle;
        if (MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &kind, &type, &names, about, &about_length, &bind,
                                &only_read, &goes_on, &atomic))
            continue;
        if (strncmp(name, "echelon_", 8) != 0) continue;
        MPI_T_pvar_handle_alloc(session, i, NULL, &handle, &elements);
        for (int call = 0, one = 1, sum; call < 5; ++call)
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_T_pvar_read(session, handle, type == MPI_DOUBLE ? (void*)&value : &number);
        MPI_T_pvar_handle_free(session, &handle);
        printf("total %s %g\n", name, type == MPI_DOUBLE ? value : (double)number);
    }
    MPI_T_pvar_session_free(&session);
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) controls();
    if (rank != 0) freopen("/dev/null", "w", stdout);
    totals();
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}
C
"mpicc.$TEST_MPI" -Wall -Wextra "$folder/list.c" -o "$folder/list" 2>"$folder/warnings" || { cat "$folder/warnings"; exit 1; }
export ECHELON_TRIALS=7 ECHELON_ALLREDUCE=ring ECHELON_SUMMARY=json:$folder/summary.json
ours 2 "$folder/list" >"$folder/out" 2>"$folder/err" || fail "the program ends with an error: $(cat "$folder/err")"
if [ "$TEST_MPI" = openmpi ]; then
    settings=$(grep -c '^| `ECHELON_' "$TEST_SOURCE/docs/settings.md")
    [ "$(grep -c '^control echelon_[a-z_]* .*1$' "$folder/out")" = "$settings" ] || fail "not $settings controls: $(cat "$folder/out")"
    grep -q '^control echelon_trials 7 1$' "$folder/out" || fail "ECHELON_TRIALS=7 is shown as $(grep echelon_trials "$folder/out")"
    grep -q '^control echelon_allreduce ring 1$' "$folder/out" || fail "ECHELON_ALLREDUCE=ring is shown as $(grep echelon_allreduce "$folder/out")"
    # A handle counts from its making on: 5 calls.
    for name in calls calls_served; do
        grep -q "^total echelon_$name 5\$" "$folder/out" || fail "echelon_$name is not 5: $(grep "^total" "$folder/out")"
    done
    awk '$2 == "echelon_seconds" && $3 > 0 {found = 1} END {exit !found}' "$folder/out" || fail "no time in calls: $(grep "^total" "$folder/out")"
else
    [ ! -s "$folder/out" ] || fail "there are variables: $(cat "$folder/out")"
fi
exit "$failures"
