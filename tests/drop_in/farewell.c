/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks of attributes that call collectives: on the communicator that is being freed, before and after
   its other attributes are deleted, in another order on each rank; that refuse; that free other
   communicators; of datatypes and windows; of copies; with the argument `end`, of MPI_COMM_SELF while MPI is
   finalized. With `exit`: instead of a callback of an attribute, a handler of exit that is older than
   MPI_Init, and ends MPI itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, wrong, refuse, refuser;

static void sum(MPI_Comm comm) {
    int in[2] = {rank + 1, 1}, out[2] = {0, 0}, p = 0;
    MPI_Comm_size(comm, &p);
    MPI_Allreduce(in, out, 2, MPI_INT, MPI_SUM, comm);
    wrong += out[0] != p * (p + 1) / 2 || out[1] != p;
}

static void hand_round(MPI_Comm comm, MPI_Datatype type) {
    int data[2] = {rank == 0 ? 7 : 0, rank == 0 ? 8 : 0};
    MPI_Bcast(data, 1, type, 0, comm);
    wrong += data[0] != 7 || data[1] != 8;
}

static int on_deleted(MPI_Comm comm, int key, void* value, void* state) {
    (void)state;
    sum(comm);
    sum(MPI_COMM_WORLD);
    if (value != NULL) MPI_Comm_free((MPI_Comm*)value);
    return refuse && key == refuser ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int on_copied(MPI_Comm comm, int key, void* state, void* value, void* copy, int* copied) {
    (void)key, (void)state, (void)value;
    sum(comm);
    *(void**)copy = NULL;
    *copied = 1;
    return MPI_SUCCESS;
}

static int on_type_deleted(MPI_Datatype type, int key, void* value, void* state) {
    (void)key, (void)value, (void)state;
#ifdef OPEN_MPI
    type = MPI_2INT; /* 4.1.4 fails if the freed type is used */
#endif
    hand_round(MPI_COMM_WORLD, type);
    return MPI_SUCCESS;
}

#ifndef OPEN_MPI
static int on_window_deleted(MPI_Win window, int key, void* value, void* state) {
    (void)window, (void)key, (void)value, (void)state;
    sum(MPI_COMM_WORLD);
    return MPI_SUCCESS;
}
#endif

static int on_self_deleted(MPI_Comm comm, int key, void* value, void* state) {
    (void)comm, (void)key, (void)value, (void)state;
    sum(MPI_COMM_WORLD);
    if (rank == 0) printf("at the end %d wrong\n", wrong);
    return MPI_SUCCESS;
}

static void say(const char* what, int code) {
    int error_class = 0;
    MPI_Error_class(code, &error_class);
    if (rank == 0) printf("%s: class %d, %d wrong\n", what, error_class, wrong);
}

static void at_exit(void) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    sum(comm);
    hand_round(comm, MPI_2INT);
    if (rank == 0) printf("at exit %d wrong\n", wrong);
    fflush(stdout);
    MPI_Comm_free(&comm);
    MPI_Finalize();
}

int main(int argc, char** argv) {
    const int exits = argc > 1 && strcmp(argv[1], "exit") == 0;
    if (exits) atexit(at_exit);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (exits) {
        sum(MPI_COMM_WORLD);
        return 0;
    }
    if (argc > 1) {
        int self_key;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_self_deleted, &self_key, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, self_key, NULL);
        sum(MPI_COMM_WORLD);
        MPI_Finalize();
        return 0;
    }
    int keys[3], copied, type_key;
    for (int i = 0; i < 3; ++i) MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_deleted, &keys[i], NULL);
    MPI_Comm_create_keyval(on_copied, on_deleted, &copied, NULL);

    /* Attributes are set before and after the first collective, different ones on each rank. */
    MPI_Comm comm, other;
    for (int i = 0; i < 24; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        const int first = (i + (i % 8 < 4 ? 0 : rank)) % 4;
        for (int k = 0; k < first && k < 3; ++k) MPI_Comm_set_attr(comm, keys[k], NULL);
        sum(comm);
        for (int k = first; k < 3; ++k) MPI_Comm_set_attr(comm, keys[k], NULL);
        i % 3 == 0 ? MPI_Comm_disconnect(&comm) : MPI_Comm_free(&comm);
    }
    say("orders", MPI_SUCCESS);

    /* A callback that refuses deletion keeps the communicator, which remains usable. */
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "echelon_allreduce", "reduce_bcast");
    for (int i = 0; i < 9; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (i % 3 == 2) MPI_Comm_set_info(comm, info);
        for (int k = 0; k < 1 + i % 3; ++k) MPI_Comm_set_attr(comm, keys[k], NULL);
        sum(comm);
        for (int k = 1 + i % 3; k < 3; ++k) MPI_Comm_set_attr(comm, keys[k], NULL);
        refuse = 1, refuser = keys[i / 3];
        const int code = MPI_Comm_free(&comm);
        refuse = 0;
        say("refused", code);
        if (code == MPI_SUCCESS) continue; /* MPICH 4.0 uses only the last return value */
        sum(comm);
        hand_round(comm, MPI_2INT);
        MPI_Comm_free(&comm);
    }
    MPI_Info_free(&info);

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    sum(comm);
    MPI_Comm_set_attr(other, keys[0], NULL);
    sum(other);
    MPI_Comm_set_attr(comm, keys[0], &other);
    MPI_Comm_free(&comm);
    say("one frees another", other == MPI_COMM_NULL ? MPI_SUCCESS : MPI_ERR_OTHER);

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_attr(comm, copied, NULL);
    MPI_Comm_dup(comm, &other);
    sum(other);
    MPI_Comm_free(&other);
    sum(comm);
    MPI_Comm_free(&comm);
    say("copies", MPI_SUCCESS);

    MPI_Datatype type;
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, on_type_deleted, &type_key, NULL);
    for (int i = 0; i < 12; ++i) {
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Type_commit(&type);
        if (i % 3 != 0) MPI_Type_set_attr(type, type_key, NULL);
        if (i % 3 != 1) hand_round(MPI_COMM_WORLD, type);
        if (i % 3 == 0) MPI_Type_set_attr(type, type_key, NULL);
        MPI_Type_free(&type);
    }
    say("datatypes", MPI_SUCCESS);

#ifndef OPEN_MPI /* 4.1.4 hangs by itself if ranks share cores */
    int window_key;
    MPI_Win window;
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_window_deleted, &window_key, NULL);
    MPI_Win_create(&type, sizeof type, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_attr(window, window_key, NULL);
    MPI_Win_free(&window);
    say("windows", MPI_SUCCESS);
#endif

    MPI_Finalize();
    return 0;
}
