/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH 4.0.2, 1 rank: MPI_Session_init crashes after the last session has been finalized. */
#include <mpi.h>
#include <stdio.h>

int main(void) {
#if MPI_VERSION >= 4
    for (int i = 0; i < 2; ++i) {
        MPI_Session session;
        const int code = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
        printf("session %d: %s\n", i, code == MPI_SUCCESS ? "success" : "an error");
        fflush(stdout);
        if (code != MPI_SUCCESS) return 1;
        MPI_Session_finalize(&session);
    }
#endif
    return 0;
}
