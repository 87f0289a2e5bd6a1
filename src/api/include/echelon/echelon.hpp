// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <echelon/echelon.h>

#include <mpi.h>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Hierarchical collectives above any MPI. All of it stands on echelon.h: between a program and the library passes no exception, no
/// string and no container, so each may have a standard library of its own.
///
/// The collectives take MPI's arguments and keep MPI's contract, on every intracommunicator; everything that
/// Echelon does not serve goes to the MPI library unchanged. They return MPI_SUCCESS or what the
/// communicator's error handler lets return. None waits for a rank for which MPI's own would not: what ranks
/// settle together they settle in allreduce, allgather, alltoall and reduce_scatter with elements, in
/// barrier, and in the collective functions of Tuning; until then other calls on a communicator are the
/// library's.
namespace echelon {

/// Collective over `comm`. MPI_IN_PLACE as in MPI. The same bits on all ranks.
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

/// Collective over `comm`. `out` is used at the root only, which may pass MPI_IN_PLACE as `in`.
inline int gather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                  MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon_gather(in, in_count, in_type, out, out_count, out_type, root, comm);
}
/// Collective over `comm`. `in` is used at the root only, which may pass MPI_IN_PLACE as `out`.
inline int scatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                   MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon_scatter(in, in_count, in_type, out, out_count, out_type, root, comm);
}
/// Collective over `comm`. MPI_IN_PLACE as in MPI.
inline int allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                     MPI_Datatype out_type, MPI_Comm comm) {
    return echelon_allgather(in, in_count, in_type, out, out_count, out_type, comm);
}
/// Collective over `comm`. MPI_IN_PLACE as in MPI.
inline int alltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                    MPI_Datatype out_type, MPI_Comm comm) {
    return echelon_alltoall(in, in_count, in_type, out, out_count, out_type, comm);
}
/// Collective over `comm`. MPI_IN_PLACE as in MPI. Recipes serve counts that differ by at most one, the
/// larger ones first; others are the library's.
inline int reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm) {
    return echelon_reduce_scatter(in, out, counts, type, op, comm);
}
inline int reduce_scatter(const void* in, void* out, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm) {
    return echelon_reduce_scatter_c(in, out, counts, type, op, comm);
}
/// Collective over `comm`. `count` elements for each rank. Tuning knows it as reduce_scatter.
inline int reduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                MPI_Comm comm) {
    return echelon_reduce_scatter_block(in, out, count, type, op, comm);
}
/// Collective over `comm`. MPI_IN_PLACE as in MPI.
inline int scan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return echelon_scan(in, out, count, type, op, comm);
}
/// Collective over `comm`. Rank 0 gets nothing.
inline int exscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return echelon_exscan(in, out, count, type, op, comm);
}

/// A recipe, or something else that was asked for, is wrong: the sentence says what, where and what would be
/// right.
struct ECHELON_API TuningError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What would run, and why.
struct WouldRun {
    std::string recipe;
    /// Who chose it: setting (environment), key (info), hint (Tuning), profile_rule, profile_decision, model, trial, refused,
    /// undecided, or built_in where nothing is known.
    std::string source;
    /// The phases with the algorithm of each: "leaders(sqrt): reduce binomial, allreduce ring, bcast
    /// binomial".
    std::string phases;
    /// Why something that was asked for does not run; empty if nothing was refused.
    std::string refusal;
};

/// What was chosen for a call by the machine's profile, and what else there was.
struct Explained {
    struct Candidate {
        std::string recipe;
        /// Seconds: model and measurement together; the model's word alone, 0 where it has none.
        double expected = 0, predicted = 0;
        /// How far off `expected` may be, as a share.
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
    /// The same as JSON, as `echelon explain --json` prints it.
    std::string json;
};

/// Chooses recipes for the collectives of one communicator (docs/recipes.md has the language). It is a view:
/// what it sets hangs on the communicator, is not copied by MPI_Comm_dup, and is gone with it.
///
///     echelon::Tuning tuning(comm);
///     tuning.force("allreduce", "lanes(node, ring, ring)", 64 << 10);   // from 64 KiB on
///     tuning.groups("reduce", 8);                                      // leaders(G=8, ...) at all sizes
class Tuning {
public:
    static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

    /// Collective over `comm`, an intracommunicator, whose ranks settle what calls that wait for nobody have
    /// left to settle. Throws TuningError.
    explicit Tuning(MPI_Comm comm);

    /// From now on calls of `collective` with `from` to `to` bytes (both included) run `recipe`. The bytes
    /// are those of the longest vector of the call: all blocks together where ranks have blocks. Later calls
    /// win. Collective; the same arguments on all ranks. If the recipe cannot serve some call then, that call
    /// is an error; with `strict` false the native collective runs and says so once. Throws TuningError on
    /// all ranks alike if it is malformed or can never serve here. What calls need that wait for nobody
    /// (bcast, reduce, gather, scatter, scan, exscan) is made here.
    void force(std::string_view collective, std::string_view recipe, std::size_t from = 0,
               std::size_t to = no_limit, bool strict = true);
    /// Forces the number of groups, 1 to p, with the algorithms that the rule takes: leaders(G=..., ...).
    /// Collective.
    void groups(std::string_view collective, int group_count, std::size_t from = 0,
                std::size_t to = no_limit);
    /// Back to the automatic choice. Collective.
    void clear(std::string_view collective);

    /// What a call with so many bytes would run: with a predefined, commutative operation and root 0. Local
    /// once the communicator is in use.
    WouldRun would_run(std::string_view collective, std::size_t bytes) const;

    // What follows goes by the machine's profile (docs/profile.md).

    /// How the estimator decides calls with so many bytes: model (the usual), sqrt, rabenseifner2004, native,
    /// formula:hockney or formula:plogp. Collective. Throws TuningError where there is no profile.
    void policy(std::string_view collective, std::string_view policy, std::size_t from = 0,
                std::size_t to = no_limit);
    /// The percentage of the time in such calls that may be spent on trying something else, 0 to 50, in place
    /// of ECHELON_TRIALS. Trials that are under way end. Collective; the same arguments on all ranks.
    void trials(std::string_view collective, int percent, std::size_t from = 0, std::size_t to = no_limit);
    /// The number of groups that is best for a call, by the profile; by the rule where there is none. 1: a
    /// flat algorithm. Collective on first use.
    int best_groups(std::string_view collective, std::size_t bytes) const;
    /// Measures now what is best at these sizes, in about so many seconds, and goes by it from now on on this
    /// communicator; the first time it measures the machine too. Collective.
    void train(std::string_view collective, const std::vector<std::size_t>& sizes, double seconds = 1);
    /// Writes what this communicator goes by, with what trials have found. Rank 0 writes. Collective; throws
    /// TuningError on all ranks if it cannot.
    void save(const std::string& file) const;
    /// Goes by this profile from now on; rank 0 reads it. Collective; throws TuningError on all ranks if it
    /// cannot be read, and all is as before.
    void load(const std::string& file);
    /// What the profile makes of a call, and why. Collective on first use. Throws TuningError where there is
    /// no profile.
    Explained explain(std::string_view collective, std::size_t bytes) const;

private:
    /// Runs a function of echelon.h with texts that end, and throws what it says.
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
