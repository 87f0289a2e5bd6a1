// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <echelon/echelon.h>

#include <mpi.h>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Hierarchical collectives above any MPI. The header is inline above echelon.h: no exception, string or
/// container passes between a program and the library, and each may use its own standard library.
///
/// The collectives take MPI's arguments (counts in elements) and keep MPI's contract, on every
/// intracommunicator; calls that Echelon does not serve go to the MPI library unchanged. They return
/// MPI_SUCCESS, or an MPI error code if the communicator's error handler returns. No call waits for a rank
/// for which MPI's own would not: the ranks decide together only in calls in which all wait for each other
/// (allreduce, allgather, alltoall and reduce_scatter with elements, barrier), in bcast and scatter from rank
/// 0, and in the collective functions of Tuning. Until then the other collectives of a communicator are
/// native.
///
/// Threads: one at a time on a communicator; with MPI_THREAD_MULTIPLE several threads may call on different
/// communicators at once.
namespace echelon {

/// Collective over `comm`. MPI_IN_PLACE like in MPI. All ranks get the same bits.
inline int allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm comm) {
    return echelon_allreduce(in, out, count, type, op, comm);
}
/// Collective over `comm`. `out` is used at the root only.
inline int reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                  MPI_Comm comm) {
    return echelon_reduce(in, out, count, type, op, root, comm);
}
/// Collective over `comm`.
inline int bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    return echelon_bcast(data, count, type, root, comm);
}
/// Collective over `comm`.
inline int barrier(MPI_Comm comm) { return echelon_barrier(comm); }

/// Collective over `comm`. The counts are of one rank's block. `out` is used at the root only, which may pass
/// MPI_IN_PLACE as `in`.
inline int gather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                  MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon_gather(in, in_count, in_type, out, out_count, out_type, root, comm);
}
/// Collective over `comm`. The counts are of one rank's block. `in` is used at the root only, which may pass
/// MPI_IN_PLACE as `out`.
inline int scatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                   MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon_scatter(in, in_count, in_type, out, out_count, out_type, root, comm);
}
/// Collective over `comm`. Each rank has a block of its own length. The root alone uses `out`, and gives
/// the length `counts[r]` and the place `places[r]` of each block there; it may pass MPI_IN_PLACE as `in`.
/// A recipe of messages that is forced for gathers of all sizes serves; otherwise the call runs natively.
inline int gatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int* counts,
                   const int* places, MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon_gatherv(in, in_count, in_type, out, counts, places, out_type, root, comm);
}
inline int gatherv(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                   const MPI_Count* counts, const MPI_Aint* places, MPI_Datatype out_type, int root,
                   MPI_Comm comm) {
    return echelon_gatherv_c(in, in_count, in_type, out, counts, places, out_type, root, comm);
}
/// Collective over `comm`. Each rank has a block of its own length. The root alone uses `in`, and gives the
/// length `counts[r]` and the place `places[r]` of each block there; it may pass MPI_IN_PLACE as `out`.
/// Recipes serve it like a gatherv.
inline int scatterv(const void* in, const int* counts, const int* places, MPI_Datatype in_type, void* out,
                    int out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon_scatterv(in, counts, places, in_type, out, out_count, out_type, root, comm);
}
inline int scatterv(const void* in, const MPI_Count* counts, const MPI_Aint* places, MPI_Datatype in_type,
                    void* out, MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon_scatterv_c(in, counts, places, in_type, out, out_count, out_type, root, comm);
}
/// Collective over `comm`. The counts are of one rank's block. MPI_IN_PLACE like in MPI.
inline int allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                     MPI_Datatype out_type, MPI_Comm comm) {
    return echelon_allgather(in, in_count, in_type, out, out_count, out_type, comm);
}
/// Collective over `comm`. Each rank has a block of its own length: `counts[r]` elements, `places[r]`
/// elements behind `out`. MPI_IN_PLACE like in MPI. Tuning treats it as an allgather of all counts together.
inline int allgatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int* counts,
                      const int* places, MPI_Datatype out_type, MPI_Comm comm) {
    return echelon_allgatherv(in, in_count, in_type, out, counts, places, out_type, comm);
}
inline int allgatherv(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                      const MPI_Count* counts, const MPI_Aint* places, MPI_Datatype out_type, MPI_Comm comm) {
    return echelon_allgatherv_c(in, in_count, in_type, out, counts, places, out_type, comm);
}
/// Collective over `comm`. The counts are of one block. MPI_IN_PLACE like in MPI.
inline int alltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                    MPI_Datatype out_type, MPI_Comm comm) {
    return echelon_alltoall(in, in_count, in_type, out, out_count, out_type, comm);
}
/// Collective over `comm`. `in_counts[r]` elements go to rank r, `counts[r]` elements come from it.
/// MPI_IN_PLACE like in MPI. A recipe that is forced for alltoalls of all sizes serves; otherwise the call
/// runs natively.
inline int alltoallv(const void* in, const int* in_counts, const int* in_places, MPI_Datatype in_type,
                     void* out, const int* counts, const int* places, MPI_Datatype out_type, MPI_Comm comm) {
    return echelon_alltoallv(in, in_counts, in_places, in_type, out, counts, places, out_type, comm);
}
inline int alltoallv(const void* in, const MPI_Count* in_counts, const MPI_Aint* in_places,
                     MPI_Datatype in_type, void* out, const MPI_Count* counts, const MPI_Aint* places,
                     MPI_Datatype out_type, MPI_Comm comm) {
    return echelon_alltoallv_c(in, in_counts, in_places, in_type, out, counts, places, out_type, comm);
}
/// Collective over `comm`. `counts` has one count for each rank. MPI_IN_PLACE like in MPI.
inline int reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm) {
    return echelon_reduce_scatter(in, out, counts, type, op, comm);
}
inline int reduce_scatter(const void* in, void* out, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm) {
    return echelon_reduce_scatter_c(in, out, counts, type, op, comm);
}
/// Collective over `comm`. Each rank gets `count` elements. Tuning treats it as reduce_scatter.
inline int reduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                MPI_Comm comm) {
    return echelon_reduce_scatter_block(in, out, count, type, op, comm);
}
/// Collective over `comm`. MPI_IN_PLACE like in MPI.
inline int scan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return echelon_scan(in, out, count, type, op, comm);
}
/// Collective over `comm`. Rank 0 gets no result.
inline int exscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return echelon_exscan(in, out, count, type, op, comm);
}

// The nonblocking forms. MPI's functions test and complete the request, and buffers belong to the call until
// then. Collective over `comm`, without waiting for any rank. In programs that preload Echelon they run the
// recipe of the blocking call by messages; elsewhere, and if the recipe has native phases, the MPI library's
// own collective.
inline int iallreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                      MPI_Request* request) {
    return echelon_iallreduce(in, out, count, type, op, comm, request);
}
inline int ireduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                   MPI_Comm comm, MPI_Request* request) {
    return echelon_ireduce(in, out, count, type, op, root, comm, request);
}
inline int ibcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                  MPI_Request* request) {
    return echelon_ibcast(data, count, type, root, comm, request);
}
inline int ibarrier(MPI_Comm comm, MPI_Request* request) { return echelon_ibarrier(comm, request); }
inline int igather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                   MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request) {
    return echelon_igather(in, in_count, in_type, out, out_count, out_type, root, comm, request);
}
inline int iscatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                    MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request) {
    return echelon_iscatter(in, in_count, in_type, out, out_count, out_type, root, comm, request);
}
inline int igatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int* counts,
                    const int* places, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request) {
    return echelon_igatherv(in, in_count, in_type, out, counts, places, out_type, root, comm, request);
}
inline int igatherv(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                    const MPI_Count* counts, const MPI_Aint* places, MPI_Datatype out_type, int root,
                    MPI_Comm comm, MPI_Request* request) {
    return echelon_igatherv_c(in, in_count, in_type, out, counts, places, out_type, root, comm, request);
}
inline int iscatterv(const void* in, const int* counts, const int* places, MPI_Datatype in_type, void* out,
                     int out_count, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request) {
    return echelon_iscatterv(in, counts, places, in_type, out, out_count, out_type, root, comm, request);
}
inline int iscatterv(const void* in, const MPI_Count* counts, const MPI_Aint* places, MPI_Datatype in_type,
                     void* out, MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm,
                     MPI_Request* request) {
    return echelon_iscatterv_c(in, counts, places, in_type, out, out_count, out_type, root, comm, request);
}
inline int iallgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                      MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm, MPI_Request* request) {
    return echelon_iallgather(in, in_count, in_type, out, out_count, out_type, comm, request);
}
inline int iallgatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int* counts,
                       const int* places, MPI_Datatype out_type, MPI_Comm comm, MPI_Request* request) {
    return echelon_iallgatherv(in, in_count, in_type, out, counts, places, out_type, comm, request);
}
inline int iallgatherv(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                       const MPI_Count* counts, const MPI_Aint* places, MPI_Datatype out_type, MPI_Comm comm,
                       MPI_Request* request) {
    return echelon_iallgatherv_c(in, in_count, in_type, out, counts, places, out_type, comm, request);
}
inline int ialltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                     MPI_Datatype out_type, MPI_Comm comm, MPI_Request* request) {
    return echelon_ialltoall(in, in_count, in_type, out, out_count, out_type, comm, request);
}
inline int ialltoallv(const void* in, const int* in_counts, const int* in_places, MPI_Datatype in_type,
                      void* out, const int* counts, const int* places, MPI_Datatype out_type, MPI_Comm comm,
                      MPI_Request* request) {
    return echelon_ialltoallv(in, in_counts, in_places, in_type, out, counts, places, out_type, comm,
                              request);
}
inline int ialltoallv(const void* in, const MPI_Count* in_counts, const MPI_Aint* in_places,
                      MPI_Datatype in_type, void* out, const MPI_Count* counts, const MPI_Aint* places,
                      MPI_Datatype out_type, MPI_Comm comm, MPI_Request* request) {
    return echelon_ialltoallv_c(in, in_counts, in_places, in_type, out, counts, places, out_type, comm,
                                request);
}
inline int ireduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm, MPI_Request* request) {
    return echelon_ireduce_scatter(in, out, counts, type, op, comm, request);
}
inline int ireduce_scatter(const void* in, void* out, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm, MPI_Request* request) {
    return echelon_ireduce_scatter_c(in, out, counts, type, op, comm, request);
}
inline int ireduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                 MPI_Comm comm, MPI_Request* request) {
    return echelon_ireduce_scatter_block(in, out, count, type, op, comm, request);
}
inline int iscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                 MPI_Request* request) {
    return echelon_iscan(in, out, count, type, op, comm, request);
}
inline int iexscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
    return echelon_iexscan(in, out, count, type, op, comm, request);
}

/// A persistent collective, made by a function of echelon.h, with the arguments of its blocking form:
///     Persistent sum(echelon_allreduce_init, in, out, count, MPI_INT, MPI_SUM, comm);
/// The buffers belong to the call from start() to wait(). Making one is collective over `comm`, and may wait
/// for other ranks; no other function does but wait(). The communicator and the type may be freed earlier.
class Persistent {
public:
    template <class... Parameters, class... Arguments>
    explicit Persistent(int (*init)(Parameters...), Arguments... arguments)
        : code_(init(arguments..., MPI_INFO_NULL, &request_)) {}
    Persistent(Persistent&& other) noexcept
        : request_(std::exchange(other.request_, MPI_REQUEST_NULL)), code_(other.code_) {}
    Persistent& operator=(Persistent&& other) noexcept {
        std::swap(request_, other.request_);
        std::swap(code_, other.code_);
        return *this;
    }
    /// Requires: the call is not under way, and MPI runs.
    ~Persistent() {
        if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
    }

    /// MPI's code of the function that made it.
    int code() const { return code_; }
    int start() { return MPI_Start(&request_); }
    int wait() { return MPI_Wait(&request_, MPI_STATUS_IGNORE); }
    /// For MPI's functions of several requests.
    MPI_Request request() const { return request_; }

private:
    MPI_Request request_ = MPI_REQUEST_NULL;
    int code_;
};

/// A recipe or another argument of Tuning is wrong. The sentence names the mistake, its place and the correct
/// form.
struct ECHELON_API TuningError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The recipe that a call would run, and why.
struct WouldRun {
    std::string recipe;
    /// The source of the choice: setting (environment), key (info), hint (Tuning), profile_rule,
    /// profile_decision, model, startup (shared memory, chosen in MPI_Init), trial, refused, undecided, or
    /// built_in without any knowledge of the machine.
    std::string source;
    /// The phases with the algorithm of each: "leaders(sqrt): reduce binomial, allreduce ring, bcast
    /// binomial".
    std::string phases;
    /// Why a requested recipe does not run; empty if nothing was refused.
    std::string refusal;
};

/// The choice for a call by the machine's profile, and its alternatives.
struct Explained {
    struct Candidate {
        std::string recipe;
        /// Seconds: by model and measurement together; by the model alone, 0 if it has no prediction.
        double expected = 0, predicted = 0;
        /// Relative error bound of `expected`: 0.1 means 10 %.
        double error = 0;
        /// measured, interpolated, corrected or model.
        std::string basis;
        /// Why it was not chosen; empty for the chosen one.
        std::string reason;
    };
    struct Rejected {
        std::string recipe, reason;
    };
    std::string recipe;
    /// profile_rule, profile_decision or model.
    std::string source;
    std::vector<Candidate> candidates;
    std::vector<Rejected> rejected;
    /// All of this as JSON, like `echelon explain --json` prints it.
    std::string json;
};

/// Chooses recipes for the collectives of one communicator (docs/recipes.md has the language). It is a view:
/// its settings belong to the communicator, are not copied by MPI_Comm_dup, and end with the communicator.
///
/// All functions throw TuningError if `comm` cannot be tuned: it is null, an intercommunicator, of one rank
/// or of several MPI_COMM_WORLDs, or MPI is not running. Names of collectives are
/// "allreduce", "reduce", "bcast", "barrier", "reduce_scatter", "allgather", "gather", "scatter", "alltoall",
/// "scan", "exscan". Bytes are those of the longest vector of the call: all blocks together if ranks have
/// blocks.
///
///     echelon::Tuning tuning(comm);
///     tuning.force("allreduce", "lanes(node, ring, ring)", 64 << 10);   // from 64 KiB on
///     tuning.groups("reduce", 8);                                      // leaders(G=8, ...) at all sizes
class Tuning {
public:
    static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

    /// The ranks decide together about earlier calls in which not all ranks wait for each other. Collective
    /// over `comm`, an intracommunicator. Throws TuningError.
    explicit Tuning(MPI_Comm comm);

    /// Calls of `collective` with `from` to `to` bytes (both included) run `recipe` from here on; a later
    /// force() overrides an earlier one. If the recipe cannot serve a call, that call fails; with `strict`
    /// false the native collective runs, with one warning. Sub-communicators for bcast, reduce, gather,
    /// scatter, scan and exscan, in which not all ranks wait for each other, are made here. Collective; the
    /// same arguments on all ranks. Throws TuningError on all ranks if the recipe is malformed or can never
    /// serve here.
    void force(std::string_view collective, std::string_view recipe, std::size_t from = 0,
               std::size_t to = no_limit, bool strict = true);
    /// Forces the number of groups, 1 to the number of ranks, with the default algorithms for the size:
    /// leaders(G=..., ...). Collective; the same arguments on all ranks. Throws TuningError like force().
    void groups(std::string_view collective, int group_count, std::size_t from = 0,
                std::size_t to = no_limit);
    /// Returns to the automatic choice: removes all force() and groups() of `collective`. Collective.
    void clear(std::string_view collective);

    /// The recipe that a call of `bytes` bytes would run, with a predefined, commutative operation and root
    /// 0. Collective on first use, local once the communicator is in use.
    WouldRun would_run(std::string_view collective, std::size_t bytes) const;

    // The functions below use the machine's profile (docs/profile.md).

    /// Sets how the estimator decides calls with `from` to `to` bytes: model (the default), sqrt (sqrt(p)
    /// groups, Hasanov and Lastovetsky 2016), rabenseifner2004 (the rule of Rabenseifner's 2004 papers;
    /// native for other collectives), native, formula:hockney or formula:plogp (the papers' closed forms).
    /// Collective; the same arguments on all ranks. Throws TuningError if there is no profile.
    void policy(std::string_view collective, std::string_view policy, std::size_t from = 0,
                std::size_t to = no_limit);
    /// Sets the percentage, 0 to 50, of the time in these calls that trials of other recipes may take, in
    /// place of ECHELON_TRIALS. Trials under way end. Collective; the same arguments on all ranks. Throws
    /// TuningError if the percentage is out of range.
    void trials(std::string_view collective, int percent, std::size_t from = 0, std::size_t to = no_limit);
    /// The best number of groups for a call of `bytes` bytes: by the profile, or by the default cost model
    /// without one. 1: a flat algorithm. Collective on first use.
    int best_groups(std::string_view collective, std::size_t bytes) const;
    /// Measures which recipes are best at these sizes (bytes), in about `seconds` seconds, and uses the
    /// result on this communicator; without a measured profile it measures the machine too. Collective; the
    /// same arguments on all ranks. Throws TuningError if `sizes` is empty or `seconds` is not above 0.
    void train(std::string_view collective, const std::vector<std::size_t>& sizes, double seconds = 1);
    /// Writes this communicator's profile with the findings of trials. Rank 0 writes. Collective; throws
    /// TuningError on all ranks if the file cannot be written.
    void save(const std::string& file) const;
    /// Replaces this communicator's profile; rank 0 reads it. Collective; throws TuningError on all ranks if
    /// it cannot be read, and then changes nothing.
    void load(const std::string& file);
    /// The profile's choice for a call of `bytes` bytes, with its reasons. Collective on first use. Throws
    /// TuningError if there is no profile.
    Explained explain(std::string_view collective, std::size_t bytes) const;

private:
    /// Calls a function of echelon.h and throws its error.
    template <class Function, class... Args>
    static void run(const Function& function, const Args&... args) {
        const int before = echelon_errors_are_thrown(1);
        const int code = function(args...);
        echelon_errors_are_thrown(before);
        if (code != MPI_SUCCESS) throw TuningError(echelon_error_text());
    }

    MPI_Comm comm_;
};

inline Tuning::Tuning(MPI_Comm comm) : comm_(comm) { run(echelon_settle, comm); }

inline void Tuning::force(std::string_view collective, std::string_view recipe, std::size_t from,
                          std::size_t to, bool strict) {
    run(echelon_force, comm_, std::string(collective).c_str(), std::string(recipe).c_str(), from, to, strict);
}

inline void Tuning::groups(std::string_view collective, int group_count, std::size_t from, std::size_t to) {
    run(echelon_groups, comm_, std::string(collective).c_str(), group_count, from, to);
}

inline void Tuning::clear(std::string_view collective) {
    run(echelon_clear, comm_, std::string(collective).c_str());
}

inline WouldRun Tuning::would_run(std::string_view collective, std::size_t bytes) const {
    WouldRun would;
    const auto tell = [](void* into, const echelon_would_run_told* told) {
        *static_cast<WouldRun*>(into) = {told->recipe, told->source, told->phases, told->refusal};
    };
    run(echelon_tell_would_run, comm_, std::string(collective).c_str(), bytes, +tell, &would);
    return would;
}

inline void Tuning::policy(std::string_view collective, std::string_view policy, std::size_t from,
                           std::size_t to) {
    run(echelon_policy, comm_, std::string(collective).c_str(), std::string(policy).c_str(), from, to);
}

inline void Tuning::trials(std::string_view collective, int percent, std::size_t from, std::size_t to) {
    run(echelon_trials, comm_, std::string(collective).c_str(), percent, from, to);
}

inline int Tuning::best_groups(std::string_view collective, std::size_t bytes) const {
    int groups = 1;
    run(echelon_best_groups, comm_, std::string(collective).c_str(), bytes, &groups);
    return groups;
}

inline void Tuning::train(std::string_view collective, const std::vector<std::size_t>& sizes,
                          double seconds) {
    run(echelon_train, comm_, std::string(collective).c_str(), sizes.data(), int(sizes.size()), seconds);
}

inline void Tuning::save(const std::string& file) const { run(echelon_save, comm_, file.c_str()); }

inline void Tuning::load(const std::string& file) { run(echelon_load, comm_, file.c_str()); }

inline Explained Tuning::explain(std::string_view collective, std::size_t bytes) const {
    Explained explained;
    const auto tell = [](void* into, const echelon_explained* told) {
        Explained& all = *static_cast<Explained*>(into);
        all = {told->recipe, told->source, {}, {}, told->json};
        const echelon_candidate* one = told->candidates;
        for (std::size_t i = 0; i < told->candidate_count; ++i, ++one)
            all.candidates.push_back(
                {one->recipe, one->expected, one->predicted, one->error, one->basis, one->reason});
        for (std::size_t i = 0; i < told->rejected_count; ++i, ++one)
            all.rejected.push_back({one->recipe, one->reason});
    };
    run(echelon_tell_explained, comm_, std::string(collective).c_str(), bytes, +tell, &explained);
    return explained;
}

}  // namespace echelon
