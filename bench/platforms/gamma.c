/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into SimGrid SMPI, which combines operands in no time: here each byte that an operation combines
   takes SIMULATED_GAMMA seconds of virtual time, in the simulator's own collectives and in any
   MPI_Reduce_local. Echelon's own kernels report their bytes by simulated_combining. A decision of a rank of
   Echelon takes SIMULATED_THINKING times its real time in virtual time, or no time if that is not set.
   simulated_thinking lets virtual seconds of a decision pass, and returns that factor, or 0. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#define PUBLIC __attribute__((visibility("default")))

/* simgrid::smpi::Op::apply, by its mangled name. */
typedef void apply_function(const void* op, const void* in, void* inout, const int* count, void* type);
PUBLIC apply_function _ZNK7simgrid4smpi2Op5applyEPKvPvPKiPNS0_8DatatypeE;
PUBLIC void simulated_combining(double bytes);
PUBLIC double simulated_thinking(double seconds);

/* Functions of the simulator. */
extern void smpi_execute_benched(double seconds);
extern int MPI_Type_size(void* type, int* size);

static double read_once(const char* name, double* factor) {
    if (*factor < 0) {
        const char* const given = getenv(name);
        *factor = given == NULL ? 0 : atof(given);
    }
    return *factor;
}

static void take(double seconds) {
    if (seconds > 0) smpi_execute_benched(seconds);
}

void simulated_combining(double bytes) {
    static double gamma = -1;
    take(bytes * read_once("SIMULATED_GAMMA", &gamma));
}

double simulated_thinking(double seconds) {
    static double factor = -1;
    if (read_once("SIMULATED_THINKING", &factor) > 0) take(seconds);
    return factor;
}

void _ZNK7simgrid4smpi2Op5applyEPKvPvPKiPNS0_8DatatypeE(const void* op, const void* in, void* inout,
                                                        const int* count, void* type) {
    static apply_function* real;
    int size = 0;
    if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "_ZNK7simgrid4smpi2Op5applyEPKvPvPKiPNS0_8DatatypeE");
    if (real == NULL) abort();
    real(op, in, inout, count, type);
    MPI_Type_size(type, &size);
    simulated_combining((double)*count * size);
}
