/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ECHELON_H
#define ECHELON_H

#include <echelon/export.h>
#include <echelon/version.h>

#include <mpi.h>
#include <stddef.h>

/* Hierarchical collectives above any MPI, for C. The functions mean the same as their namesakes in
   echelon.hpp.

   All functions return MPI_SUCCESS, or an MPI error code if the communicator's error handler returns;
   echelon_error_text gives the sentence. One thread at a time may call on a communicator; with
   MPI_THREAD_MULTIPLE several threads may call on different communicators at once. */

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
ECHELON_API int echelon_gatherv(const void* in, int in_count, MPI_Datatype in_type, void* out,
                                const int* counts, const int* places, MPI_Datatype out_type, int root,
                                MPI_Comm comm);
ECHELON_API int echelon_gatherv_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                  const MPI_Count* counts, const MPI_Aint* places, MPI_Datatype out_type,
                                  int root, MPI_Comm comm);
ECHELON_API int echelon_scatterv(const void* in, const int* counts, const int* places, MPI_Datatype in_type,
                                 void* out, int out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
ECHELON_API int echelon_scatterv_c(const void* in, const MPI_Count* counts, const MPI_Aint* places,
                                   MPI_Datatype in_type, void* out, MPI_Count out_count,
                                   MPI_Datatype out_type, int root, MPI_Comm comm);
ECHELON_API int echelon_allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                  MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm);
ECHELON_API int echelon_allgatherv(const void* in, int in_count, MPI_Datatype in_type, void* out,
                                   const int* counts, const int* places, MPI_Datatype out_type,
                                   MPI_Comm comm);
ECHELON_API int echelon_allgatherv_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                     const MPI_Count* counts, const MPI_Aint* places, MPI_Datatype out_type,
                                     MPI_Comm comm);
ECHELON_API int echelon_alltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                 MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm);
ECHELON_API int echelon_alltoallv(const void* in, const int* in_counts, const int* in_places,
                                  MPI_Datatype in_type, void* out, const int* counts, const int* places,
                                  MPI_Datatype out_type, MPI_Comm comm);
ECHELON_API int echelon_alltoallv_c(const void* in, const MPI_Count* in_counts, const MPI_Aint* in_places,
                                    MPI_Datatype in_type, void* out, const MPI_Count* counts,
                                    const MPI_Aint* places, MPI_Datatype out_type, MPI_Comm comm);
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

/* The same collectives, nonblocking, like MPI's: MPI's functions test and complete the request. In programs
   that preload Echelon they run the recipe of the blocking call by messages; elsewhere, and if the recipe has
   native phases, the MPI library serves them. */
ECHELON_API int echelon_iallreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                   MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_ireduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                int root, MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_ibcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                               MPI_Request* request);
ECHELON_API int echelon_ibarrier(MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_igather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm,
                                MPI_Request* request);
ECHELON_API int echelon_iscatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                 MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm,
                                 MPI_Request* request);
ECHELON_API int echelon_igatherv(const void* in, int in_count, MPI_Datatype in_type, void* out,
                                 const int* counts, const int* places, MPI_Datatype out_type, int root,
                                 MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_igatherv_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                   const MPI_Count* counts, const MPI_Aint* places, MPI_Datatype out_type,
                                   int root, MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_iscatterv(const void* in, const int* counts, const int* places, MPI_Datatype in_type,
                                  void* out, int out_count, MPI_Datatype out_type, int root, MPI_Comm comm,
                                  MPI_Request* request);
ECHELON_API int echelon_iscatterv_c(const void* in, const MPI_Count* counts, const MPI_Aint* places,
                                    MPI_Datatype in_type, void* out, MPI_Count out_count,
                                    MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_iallgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                   MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm,
                                   MPI_Request* request);
ECHELON_API int echelon_iallgatherv(const void* in, int in_count, MPI_Datatype in_type, void* out,
                                    const int* counts, const int* places, MPI_Datatype out_type,
                                    MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_iallgatherv_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                      const MPI_Count* counts, const MPI_Aint* places, MPI_Datatype out_type,
                                      MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_ialltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                  MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm,
                                  MPI_Request* request);
ECHELON_API int echelon_ialltoallv(const void* in, const int* in_counts, const int* in_places,
                                   MPI_Datatype in_type, void* out, const int* counts, const int* places,
                                   MPI_Datatype out_type, MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_ialltoallv_c(const void* in, const MPI_Count* in_counts, const MPI_Aint* in_places,
                                     MPI_Datatype in_type, void* out, const MPI_Count* counts,
                                     const MPI_Aint* places, MPI_Datatype out_type, MPI_Comm comm,
                                     MPI_Request* request);
ECHELON_API int echelon_ireduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type,
                                        MPI_Op op, MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_ireduce_scatter_c(const void* in, void* out, const MPI_Count* counts,
                                          MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_ireduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type,
                                              MPI_Op op, MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_iscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request);
ECHELON_API int echelon_iexscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                MPI_Comm comm, MPI_Request* request);

/* The same collectives, persistent, like MPI's: MPI_Start starts them as often as the program wants, in any
   order. In programs that preload Echelon they run the recipe that is known when the request is made;
   elsewhere, and if the recipe has native phases, the MPI library serves them, or reports an error if it has
   no persistent collectives. */
ECHELON_API int echelon_allreduce_init(const void* in, void* out, MPI_Count count, MPI_Datatype type,
                                       MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_reduce_init(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                    int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_bcast_init(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                                   MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_gather_init(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                    MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm,
                                    MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_scatter_init(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                     MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm,
                                     MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_gatherv_init(const void* in, int in_count, MPI_Datatype in_type, void* out,
                                     const int* counts, const int* places, MPI_Datatype out_type, int root,
                                     MPI_Comm comm, MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_gatherv_init_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                       const MPI_Count* counts, const MPI_Aint* places, MPI_Datatype out_type,
                                       int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_scatterv_init(const void* in, const int* counts, const int* places,
                                      MPI_Datatype in_type, void* out, int out_count, MPI_Datatype out_type,
                                      int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_scatterv_init_c(const void* in, const MPI_Count* counts, const MPI_Aint* places,
                                        MPI_Datatype in_type, void* out, MPI_Count out_count,
                                        MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Info info,
                                        MPI_Request* request);
ECHELON_API int echelon_allgather_init(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                       MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm,
                                       MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_allgatherv_init(const void* in, int in_count, MPI_Datatype in_type, void* out,
                                        const int* counts, const int* places, MPI_Datatype out_type,
                                        MPI_Comm comm, MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_allgatherv_init_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                          const MPI_Count* counts, const MPI_Aint* places,
                                          MPI_Datatype out_type, MPI_Comm comm, MPI_Info info,
                                          MPI_Request* request);
ECHELON_API int echelon_alltoall_init(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                      MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm,
                                      MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_alltoallv_init(const void* in, const int* in_counts, const int* in_places,
                                       MPI_Datatype in_type, void* out, const int* counts, const int* places,
                                       MPI_Datatype out_type, MPI_Comm comm, MPI_Info info,
                                       MPI_Request* request);
ECHELON_API int echelon_alltoallv_init_c(const void* in, const MPI_Count* in_counts,
                                         const MPI_Aint* in_places, MPI_Datatype in_type, void* out,
                                         const MPI_Count* counts, const MPI_Aint* places,
                                         MPI_Datatype out_type, MPI_Comm comm, MPI_Info info,
                                         MPI_Request* request);
ECHELON_API int echelon_reduce_scatter_init(const void* in, void* out, const int* counts, MPI_Datatype type,
                                            MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_reduce_scatter_init_c(const void* in, void* out, const MPI_Count* counts,
                                              MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                              MPI_Request* request);
ECHELON_API int echelon_reduce_scatter_block_init(const void* in, void* out, MPI_Count count,
                                                  MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                                  MPI_Request* request);
ECHELON_API int echelon_scan_init(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request);
ECHELON_API int echelon_exscan_init(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                    MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* The ranks decide together about earlier calls on `comm` in which not all ranks wait for each other.
   Collective. All tuning functions of this header do so first, and therefore are collective too. */
ECHELON_API int echelon_settle(MPI_Comm comm);

/* No upper limit of bytes. */
#define ECHELON_NO_LIMIT ((size_t)-1)

/* Calls of `collective` ("allreduce", ...) with `from` to `to` bytes, both included, run `recipe` from here
   on. Collective; the same arguments on all ranks. If the recipe cannot serve a call, the call fails if
   `strict` is not 0, and otherwise runs the native collective. */
ECHELON_API int echelon_force(MPI_Comm comm, const char* collective, const char* recipe, size_t from,
                              size_t to, int strict);
/* Forces the number of groups, 1 to the number of ranks. Collective. */
ECHELON_API int echelon_groups(MPI_Comm comm, const char* collective, int group_count, size_t from,
                               size_t to);
/* Returns to the automatic choice. Collective. */
ECHELON_API int echelon_clear(MPI_Comm comm, const char* collective);
/* Writes the recipe that a call of `bytes` bytes would run into `recipe`, null-terminated and cut to `length`
   characters, the terminator included. Collective. */
ECHELON_API int echelon_would_run(MPI_Comm comm, const char* collective, size_t bytes, char* recipe,
                                  size_t length);

/* Sets how the estimator decides: "model", "sqrt", "rabenseifner2004", "native", "formula:hockney" or
   "formula:plogp". Collective. Error: there is no profile. */
ECHELON_API int echelon_policy(MPI_Comm comm, const char* collective, const char* policy, size_t from,
                               size_t to);
/* Sets the percentage, 0 to 50, of the time in these calls that trials of other recipes may take. Collective;
   the same arguments on all ranks. */
ECHELON_API int echelon_trials(MPI_Comm comm, const char* collective, int percent, size_t from, size_t to);
/* The time of a call of `bytes` bytes on a communicator of `ranks` ranks on `nodes` nodes, in seconds, by a
   model of the program. `recipe` is written like in echelon_force, or "native"; `seconds` is Echelon's own
   expectation, 0 if it has none. Returns the seconds that count instead; 0: no opinion. */
typedef double (*echelon_advisor)(const char* collective, size_t bytes, int ranks, int nodes,
                                  const char* recipe, double seconds, void* context);
/* Rank 0 of a communicator asks `advisor` when it decides for a class of calls: for native, for each flat
   algorithm, and for the hierarchies that Echelon's model proposes. Trials compare the choice with other
   candidates as usual. Null: Echelon's own expectations. To be set before the first call, also before
   MPI_Init, on all ranks alike; decisions that were made stay. The advisor must not call MPI or Echelon;
   several threads may call it at once. Local. */
ECHELON_API int echelon_set_advisor(echelon_advisor advisor, void* context);
/* Writes the best number of groups for a call of `bytes` bytes to `groups`; 1: flat. Collective. */
ECHELON_API int echelon_best_groups(MPI_Comm comm, const char* collective, size_t bytes, int* groups);
/* Measures which recipes are best at `count` sizes (bytes), in about `seconds` seconds. Collective; the same
   arguments on all ranks. */
ECHELON_API int echelon_train(MPI_Comm comm, const char* collective, const size_t* sizes, int count,
                              double seconds);
/* Write and read the communicator's profile; rank 0 accesses the file. Collective. Error, on all ranks: the
   file cannot be written or read. */
ECHELON_API int echelon_save(MPI_Comm comm, const char* file);
ECHELON_API int echelon_load(MPI_Comm comm, const char* file);
/* Writes JSON about a call and its candidates into `json`, null-terminated and cut to `length` characters,
   and the length of the whole text with its terminator to `needed`, unless that is null. Collective. Error:
   there is no profile. */
ECHELON_API int echelon_explain(MPI_Comm comm, const char* collective, size_t bytes, char* json,
                                size_t length, size_t* needed);

/* The results of Tuning::would_run and Tuning::explain in C, passed to the callback `tell` together with
   `into`. The texts are valid until `tell` returns; texts that do not apply are empty. echelon.hpp describes
   the fields. Collective like echelon_would_run and echelon_explain. */
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
        candidates; /* candidate_count candidates, then rejected_count recipes with a reason and no basis */
    size_t candidate_count, rejected_count;
};
ECHELON_API int echelon_tell_would_run(MPI_Comm comm, const char* collective, size_t bytes,
                                       void (*tell)(void* into, const struct echelon_would_run_told*),
                                       void* into);
ECHELON_API int echelon_tell_explained(MPI_Comm comm, const char* collective, size_t bytes,
                                       void (*tell)(void* into, const struct echelon_explained*), void* into);

/* With `on`, tuning functions called by this thread return their errors without the error handler, and do not
   call echelon_settle first. Returns the previous value. echelon.hpp uses it to throw. Local. */
ECHELON_API int echelon_errors_are_thrown(int on);

/* The sentence of the calling thread's last error of Echelon; empty if there was none. Valid until the
   thread's next call. Local. MPI_Error_string describes errors of the MPI library. */
ECHELON_API const char* echelon_error_text(void);

#ifdef __cplusplus
}
#endif

#endif
