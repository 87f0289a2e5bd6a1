/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ECHELON_H
#define ECHELON_H

#include <echelon/export.h>
#include <echelon/version.h>

#include <mpi.h>
#include <stddef.h>

/* Hierarchical collectives above any MPI, for C. See echelon.hpp: the same calls, the same meaning. All
   return an MPI error code, after the communicator's error handler had its say. */

#ifdef __cplusplus
extern "C" {
#endif

ECHELON_API int echelon_allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm);
ECHELON_API int echelon_reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                               int root, MPI_Comm comm);
ECHELON_API int echelon_bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
ECHELON_API int echelon_barrier(MPI_Comm comm);
ECHELON_API int echelon_gather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                               MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
ECHELON_API int echelon_scatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
ECHELON_API int echelon_allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                  MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm);
ECHELON_API int echelon_alltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                 MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm);
ECHELON_API int echelon_reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type,
                                       MPI_Op op, MPI_Comm comm);
ECHELON_API int echelon_reduce_scatter_c(const void* in, void* out, const MPI_Count* counts,
                                         MPI_Datatype type, MPI_Op op, MPI_Comm comm);
ECHELON_API int echelon_reduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type,
                                             MPI_Op op, MPI_Comm comm);
ECHELON_API int echelon_scan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm);
ECHELON_API int echelon_exscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm);

/* Settles what calls on `comm` that wait for nobody have left to settle. Collective. */
ECHELON_API int echelon_settle(MPI_Comm comm);

/* No upper limit of bytes. */
#define ECHELON_NO_LIMIT ((size_t)-1)

/* From now on calls of `collective` ("allreduce", ...) with `from` to `to` bytes run `recipe`. Collective. */
ECHELON_API int echelon_force(MPI_Comm comm, const char* collective, const char* recipe, size_t from,
                              size_t to, int strict);
/* Forces the number of groups. Collective. */
ECHELON_API int echelon_groups(MPI_Comm comm, const char* collective, int group_count, size_t from,
                               size_t to);
/* Back to the automatic choice. Collective. */
ECHELON_API int echelon_clear(MPI_Comm comm, const char* collective);
/* Writes the recipe that a call with so many bytes would run into `recipe`, with its end, cut to `length`
 * characters. */
ECHELON_API int echelon_would_run(MPI_Comm comm, const char* collective, size_t bytes, char* recipe,
                                  size_t length);

/* How the estimator decides: "model", "sqrt", "rabenseifner2004", "native", "formula:hockney" or "formula:plogp". Collective. */
ECHELON_API int echelon_policy(MPI_Comm comm, const char* collective, const char* policy, size_t from,
                               size_t to);
/* The percentage of the time in such calls that may be spent on trying something else, 0 to 50.
 * Collective. */
ECHELON_API int echelon_trials(MPI_Comm comm, const char* collective, int percent, size_t from, size_t to);
/* Writes the best number of groups for a call to `groups`; 1: a flat algorithm. */
ECHELON_API int echelon_best_groups(MPI_Comm comm, const char* collective, size_t bytes, int* groups);
/* Measures now what is best at `count` sizes, in about so many seconds. Collective. */
ECHELON_API int echelon_train(MPI_Comm comm, const char* collective, const size_t* sizes, int count,
                              double seconds);
/* Writes and reads the profile that the communicator goes by. Collective. */
ECHELON_API int echelon_save(MPI_Comm comm, const char* file);
ECHELON_API int echelon_load(MPI_Comm comm, const char* file);
/* Writes JSON about a call and its candidates into `json`, with its end, cut to `length` characters; and the
 * length that all of it needs to `needed`, if that is not null. */
ECHELON_API int echelon_explain(MPI_Comm comm, const char* collective, size_t bytes, char* json,
                                size_t length, size_t* needed);

/* All that echelon_would_run and echelon_explain know, for `tell`; the texts live until it returns. Texts that do not apply are empty.
   echelon.hpp says what each of them means. */
struct echelon_would_run_told {
    const char *recipe, *source, *phases, *refusal;
};
struct echelon_candidate {
    const char* recipe;
    double expected, predicted, error;
    const char *basis, *reason;
};
struct echelon_explained {
    const char *recipe, *source, *json;
    const struct echelon_candidate*
        candidates; /* those that cannot serve follow, with a reason and no basis */
    size_t candidate_count, rejected_count;
};
ECHELON_API int echelon_tell_would_run(MPI_Comm comm, const char* collective, size_t bytes,
                                       void (*tell)(void* into, const struct echelon_would_run_told*),
                                       void* into);
ECHELON_API int echelon_tell_explained(MPI_Comm comm, const char* collective, size_t bytes,
                                       void (*tell)(void* into, const struct echelon_explained*), void* into);

/* With `on`, the tuning functions that the calling thread calls only return their errors, and do not settle first. Returns what was.
   For echelon.hpp, which throws. */
ECHELON_API int echelon_errors_are_thrown(int on);

/* What the calling thread's last error of Echelon said, in one sentence; valid until its next call. Errors
   that are the MPI library's own are told by MPI_Error_string. */
ECHELON_API const char* echelon_error_text(void);

#ifdef __cplusplus
}
#endif

#endif
