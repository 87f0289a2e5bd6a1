/* SPDX-License-Identifier: Apache-2.0 */
/* The ways into MPI and out of it: doors WAY_IN WAY_OUT. Rank 0 prints results of the collectives; they must
   be equal with and without Echelon in front, and the exit code too. Compiled with EARLY this is a library
   whose constructor initialises MPI and already calls a collective. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The sum of (rank + 1), through all collectives; -1 if one of them is wrong. */
static int check(MPI_Comm comm) {
    int rank = 0, size = 0, sum = 0, top = -1, told = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int mine = rank + 1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Reduce(&mine, &top, 1, MPI_INT, MPI_MAX, size - 1, comm);
    if (rank == size - 1) told = top;
    MPI_Bcast(&told, 1, MPI_INT, size - 1, comm);
    MPI_Barrier(comm);
    return told == size && sum == size * (size + 1) / 2 ? sum : -1;
}

#ifdef EARLY

int early_sum = 0;
__attribute__((constructor)) static void begin(void) {
    MPI_Init(NULL, NULL);
    early_sum = check(MPI_COMM_WORLD);
}

#else

#include "tell.h"

extern int early_sum __attribute__((weak));
static int rank, size;

static void say(const char* what, int number) {
    if (rank == 0) tell("%s %d\n", what, number);
}

static MPI_Comm half(MPI_Comm comm) {
    MPI_Comm made;
    MPI_Comm_split(comm, rank % 2, rank, &made);
    return made;
}

/* Communicators made from each other, used, and freed in many orders. */
static void freed_in_any_order(void) {
    for (int order = 0; order < 4; ++order) {
        MPI_Comm family[4] = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};
        MPI_Comm_dup(MPI_COMM_WORLD, &family[0]);
        family[1] = half(family[0]);
        MPI_Comm_dup(family[1], &family[2]);
        MPI_Comm_dup(family[0], &family[3]);
        for (int i = 3; i >= 0; --i) say("used", check(family[i]));
        for (int i = 0; i < 4; ++i) {
            MPI_Comm* const next =
                &family[order < 2 ? (order == 0 ? i : 3 - i) : (i * (order == 2 ? 3 : 1) + 2) % 4];
            MPI_Comm_free(next);
            for (int j = 0; j < 4; ++j)
                if (family[j] != MPI_COMM_NULL) say("left", check(family[j]));
        }
    }
}

/* A new communicator with the handle of a freed one has other ranks. */
static void handles_come_back(void) {
    MPI_Comm old = MPI_COMM_NULL;
    int came_back = 0;
    for (int round = 0; round < 20; ++round) {
        MPI_Comm part;
        MPI_Comm_split(MPI_COMM_WORLD, rank < 1 + round % (size - 1), rank, &part);
        came_back += part == old;
        say("sum", check(part));
        old = part;
        MPI_Comm_free(&part);
    }
    if (rank == 0) fprintf(stderr, "handles that came back: %d\n", came_back);
}

static MPI_Comm kept[2];
/* MPI_Finalize deletes the attributes of MPI_COMM_SELF while MPI still runs. */
static int at_finalize(MPI_Comm comm, int keyval, void* value, void* state) {
    (void)comm, (void)keyval, (void)state;
    const int i = *(int*)value;
    say("in MPI_Finalize", check(kept[i]));
    MPI_Comm_free(&kept[i]);
    return MPI_SUCCESS;
}
static void ask_for_finalize(int* which) {
    int keyval;
    MPI_Comm_dup(MPI_COMM_WORLD, &kept[*which]);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, which);
    MPI_Comm_free_keyval(&keyval);
}

static void finalize(void) { MPI_Finalize(); }

#if MPI_VERSION >= 4
static MPI_Session session;

static void through_a_session(void) {
    MPI_Group group;
    MPI_Comm all, copy;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "doors", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &all);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_dup(all, &copy);
    say("session", check(all));
    say("its copy", check(copy));
    MPI_Comm_free(&all);
    say("its copy", check(copy));
    MPI_Comm_free(&copy);
    MPI_Group_free(&group);
}
#endif

int main(int argc, char** argv) {
    const char *in = argc > 1 ? argv[1] : "init", *out = argc > 2 ? argv[2] : "finalize";
    static int first = 0, second = 1;
    int provided = 0;
#if MPI_VERSION >= 4
    if (strncmp(in, "session", 7) == 0) through_a_session();
    if (strcmp(in, "session") == 0) return MPI_Session_finalize(&session);
#endif
    if (strcmp(in, "early") == 0)
        ; /* done before main */
    else if (strcmp(in, "thread") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    else if (strcmp(in, "null") == 0)
        MPI_Init(NULL, NULL);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int in_finalize = strcmp(out, "in_finalize") == 0;
    if (in_finalize) ask_for_finalize(&first);
    if (&early_sum != NULL) say("early", early_sum);
    say("world", check(MPI_COMM_WORLD));
    say("self", check(MPI_COMM_SELF));
    if (in_finalize) ask_for_finalize(&second);
    if (strcmp(out, "orders") == 0) freed_in_any_order();
    if (strcmp(out, "reuse") == 0) handles_come_back();
    if (strcmp(out, "alive") == 0) {
        MPI_Comm copy, part = half(MPI_COMM_WORLD);
        MPI_Comm_dup(part, &copy);
        say("part", check(part));
        say("copy", check(copy));
        MPI_Comm_disconnect(&part);
        copy = half(MPI_COMM_WORLD);
        say("more", check(copy));
    }
    if (strcmp(out, "abort") == 0) PMPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(out, "abort") == 0 && rank == size - 1) MPI_Abort(MPI_COMM_WORLD, 7);
    if (strcmp(out, "abort") == 0) check(MPI_COMM_WORLD);
    /* MPI libraries end the job when the first rank leaves in this way: it must be rank 0, on the slowest
       machine too. */
    if ((strcmp(out, "never") == 0 || strcmp(out, "quick") == 0) && rank != 0) sleep(1800);
    if (strcmp(out, "never") == 0) return 0;
    if (strcmp(out, "quick") == 0) _exit(0);
    if (strcmp(out, "late") == 0) return atexit(finalize);
#if MPI_VERSION >= 4
    if (strcmp(in, "session_beside") == 0) MPI_Session_finalize(&session);
#endif
    MPI_Finalize();
    say("after", rank);
    return 0;
}

#endif
