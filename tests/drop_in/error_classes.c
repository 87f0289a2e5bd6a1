/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong calls and the reaction of their communicator's error handler: error_classes [fatal NUMBER]. Prints
   for each call the class that it returns and the classes that a handler of the user saw; with `fatal` the
   call of that number is made under MPI_ERRORS_ARE_FATAL. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static const char* name_of(int code) {
    static const struct {
        int error_class;
        const char* name;
    } names[] = {{MPI_SUCCESS, "success"},   {MPI_ERR_BUFFER, "buffer"}, {MPI_ERR_COUNT, "count"},
                 {MPI_ERR_TYPE, "type"},     {MPI_ERR_COMM, "comm"},     {MPI_ERR_ROOT, "root"},
                 {MPI_ERR_OP, "op"},         {MPI_ERR_ARG, "arg"},       {MPI_ERR_OTHER, "other"},
                 {MPI_ERR_INTERN, "intern"}, {MPI_ERR_INFO, "info"},     {MPI_ERR_UNKNOWN, "unknown"}};
    int error_class = 0;
    PMPI_Error_class(code, &error_class);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (names[i].error_class == error_class) return names[i].name;
    return "another";
}

/* MPICH 4.0 crashes if a count is negative. */
static int crashes(int number) {
#ifdef OPEN_MPI
    (void)number;
    return 0;
#else
    return number == 2 || number == 6 || number == 8;
#endif
}

/* All ranks make the same mistake: no message is sent. */
static int wrong_call(int number, MPI_Comm comm, MPI_Datatype unready) {
    int in[2] = {1, 2}, out[2] = {0, 0};
    double numbers[2] = {1, 2}, result[2];
    switch (number) {
        case 0:
            return MPI_Allreduce(in, out, 2, MPI_DATATYPE_NULL, MPI_SUM, comm);
        case 1:
            return MPI_Allreduce(in, out, 2, MPI_INT, MPI_OP_NULL, comm);
        case 2:
            return MPI_Allreduce(in, out, -1, MPI_INT, MPI_SUM, comm);
        case 3:
            return MPI_Allreduce(numbers, result, 2, MPI_DOUBLE, MPI_BAND, comm);
        case 4:
            return MPI_Reduce(in, out, 2, MPI_INT, MPI_SUM, size, comm);
        case 5:
            return MPI_Reduce(in, out, 2, MPI_INT, MPI_SUM, -7, comm);
        case 6:
            return MPI_Reduce(in, out, -2, MPI_INT, MPI_SUM, 0, comm);
        case 7:
            return MPI_Bcast(in, 2, MPI_INT, size + 3, comm);
        case 8:
            return MPI_Bcast(in, -1, MPI_INT, 0, comm);
        case 9:
            return MPI_Bcast(in, 2, MPI_DATATYPE_NULL, 0, comm);
        case 10:
            return MPI_Bcast(in, 1, unready, 0, comm);
        case 11:
            return MPI_Barrier(MPI_COMM_NULL);
        case 12:
            return MPI_Allreduce(in, out, 2, MPI_INT, MPI_SUM, MPI_COMM_NULL);
        case 13:
            return MPI_Comm_set_info(MPI_COMM_NULL, MPI_INFO_NULL);
#ifdef MPICH_VERSION /* if handles are numbers, the library recognizes invalid ones */
        case 14:
            return MPI_Allreduce(in, out, 2, MPI_INT, MPI_SUM, (MPI_Comm)0x12345678);
        case 15:
            return MPI_Bcast(in, 2, MPI_INT, 0, (MPI_Comm)MPI_INT);
        case 16:
            return MPI_Allreduce(in, out, 2, (MPI_Datatype)0x12345678, MPI_SUM, comm);
        case 17:
            return MPI_Allreduce(in, out, 2, MPI_INT, (MPI_Op)0x12345678, comm);
        case 18:
            return MPI_Reduce(in, out, 2, MPI_INT, (MPI_Op)MPI_INT, 0, comm);
        case 19:
            return MPI_Bcast(in, 2, (MPI_Datatype)MPI_SUM, 0, comm);
#endif
        default:
            return MPI_SUCCESS;
    }
}
enum { calls = 20 };

static int seen, times;
static void handle(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    seen = *code;
    ++times;
}

static void under(MPI_Errhandler handler, const char* label, MPI_Datatype unready) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD,
                            handler); /* errors of MPI_COMM_NULL go there, or to MPI_COMM_SELF */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    for (int number = 0; number < calls; ++number) {
        if (crashes(number)) continue;
        seen = MPI_SUCCESS;
        times = 0;
        const int code = wrong_call(number, comm, unready);
        if (rank == 0) printf("%s %d: %s, %s %d\n", label, number, name_of(code), name_of(seen), times);
        int one = 1, sum = 0; /* the communicator still works */
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
        if (rank == 0 && sum != size) printf("wrong sum %d\n", sum);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Datatype unready;
    MPI_Type_contiguous(2, MPI_INT, &unready);
    if (argc > 2) {
        MPI_Barrier(MPI_COMM_WORLD);
        wrong_call(atoi(argv[2]), MPI_COMM_WORLD, unready);
        puts("nobody minded");
    } else {
        MPI_Errhandler own;
        MPI_Comm_create_errhandler(handle, &own);
        under(MPI_ERRORS_RETURN, "return", unready);
        under(own, "own", unready);
        MPI_Errhandler_free(&own);
    }
    MPI_Type_free(&unready);
    MPI_Finalize();
    return 0;
}
