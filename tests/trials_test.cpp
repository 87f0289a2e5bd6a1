// SPDX-License-Identifier: Apache-2.0
/// Default settings on simulated ranks, in virtual time: cost of a program's calls from the first one on
/// against native collectives, and the reuse of findings.
#include "mpi/clock.hpp"
#include "tuner/tuner.hpp"

#include <gtest/gtest.h>
#include <cstdlib>
#include <echelon/echelon.hpp>
#include <random>

namespace echelon {
namespace {

struct Work {
    Collective collective;
    Bytes bytes;
};
constexpr Work sum{Collective::allreduce, 64 << 10}, short_sum{Collective::allreduce, 8},
    message{Collective::bcast, 256 << 10};

class Program {
public:
    Program() {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
        MPI_Comm_rank(comm_, &rank_);
        MPI_Comm_size(comm_, &size_);
        // The ranks compare their settings, like MPI_Init under the drop-in library.
        Tuning{comm_};
    }
    ~Program() { MPI_Comm_free(&comm_); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Seconds of `calls` calls on all ranks together. Each rank enters a call at random within `lateness`
    /// seconds.
    double seconds(long calls, const Work& work, bool native, Seconds lateness = 0) {
        PMPI_Barrier(comm_);
        const double began = MPI_Wtime();
        for (long i = 0; i < calls; ++i) {
            if (lateness > 0) come(lateness);
            call(work, native);
            // Rooted calls do not synchronise: ranks may communicate in this barrier.
            if (work.collective == Collective::bcast && i % 5 == 0)
                native ? PMPI_Barrier(comm_) : barrier(comm_);
        }
        double took = MPI_Wtime() - began;
        PMPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, comm_);
        return took;
    }
    /// The winner of a trial; nullptr if there is none yet.
    const Choice* finding(const Work& work) const {
        for (const auto& [calls, row] : Tuner::of(*State::known(comm_)).table().by_class())
            if (row.found() && calls.collective == work.collective &&
                calls.size == Decider::size_class(work.bytes))
                return &row.choice;
        return nullptr;
    }
    WouldRun runs(const Work& work) const {
        return Tuning(comm_).would_run(name(work.collective), work.bytes);
    }

private:
    void come(Seconds lateness) {
        PMPI_Barrier(comm_);
        double own = 0;
        for (int rank = 0; rank < size_; ++rank) {
            const double one = std::uniform_real_distribution<double>(0, lateness)(random_);
            if (rank == rank_) own = one;
        }
        wait_until(now() + own, false);
    }
    void call(const Work& work, bool native) {
        in_.resize(work.bytes / sizeof(float), 1);
        out_.resize(in_.size());
        const int count = int(in_.size());
        if (work.collective == Collective::bcast)
            native ? PMPI_Bcast(out_.data(), count, MPI_FLOAT, 0, comm_)
                   : bcast(out_.data(), count, MPI_FLOAT, 0, comm_);
        else
            native ? PMPI_Allreduce(in_.data(), out_.data(), count, MPI_FLOAT, MPI_SUM, comm_)
                   : allreduce(in_.data(), out_.data(), count, MPI_FLOAT, MPI_SUM, comm_);
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 0;
    std::mt19937_64 random_;
    std::vector<float> in_, out_;
};

TEST(Trials, cost_next_to_nothing_and_gain_what_there_is) {
    const struct {
        Work work;
        double most;  // after all calls, over native
    } works[] = {{short_sum, 1.02}, {sum, 0.7}, {message, 0.9}};
    for (const auto& one : works) {
        Program ours, theirs;
        // In virtual time each round of native calls takes equally long.
        constexpr long round = 20;
        const double native_took = theirs.seconds(10 * round, one.work, true) / (10 * round);
        double ours_took = 0;
        long calls = 0;
        for (const long until : {round, 10 * round, 100 * round}) {
            ours_took += ours.seconds(until - calls, one.work, false);
            calls = until;
            EXPECT_LE(ours_took, (until == 100 * round ? one.most : 1.02) * native_took * double(calls))
                << name(one.work.collective) << " of " << one.work.bytes << ", " << calls << " calls";
        }
    }
}

// Trials compared the longest stay in a call: if ranks entered at random, native stayed although another
// recipe takes half as long.
TEST(Trials, find_the_same_whenever_ranks_come) {
    Program punctual, late;
    punctual.seconds(800, sum, false);
    const double native = late.seconds(1, sum, true);
    late.seconds(800, sum, false, 3 * native);
    ASSERT_NE(punctual.finding(sum), nullptr);
    ASSERT_NE(late.finding(sum), nullptr);
    EXPECT_LT(punctual.finding(sum)->evidence.ours, 0.7 * native);
    EXPECT_LT(late.finding(sum)->evidence.ours, 1.1 * punctual.finding(sum)->evidence.ours);
}

TEST(Trials, are_not_repeated_by_communicators_of_one_layout) {
    Program first;
    first.seconds(800, sum, false);
    ASSERT_NE(first.finding(sum), nullptr);
    Program second;
    const double native = second.seconds(20, sum, true);
    second.seconds(40, sum, false);  // until they are decided
    EXPECT_EQ(second.runs(sum).source, "profile_decision");
    EXPECT_EQ(second.runs(sum).recipe, to_string(first.finding(sum)->recipe));
    EXPECT_LT(second.seconds(20, sum, false), 0.8 * native);
    // Twice the size: the winner is tried first, and needs less evidence.
    Work twice = sum;
    twice.bytes *= 2;
    second.seconds(80, twice, false);
    EXPECT_NE(second.runs(twice).recipe, "native");
}

// learn_test.sh runs this in two programs, one after the other.
TEST(Trials, are_not_repeated_by_the_next_program) {
    if (std::getenv("ECHELON_LEARN") == nullptr) GTEST_SKIP() << "learn_test.sh runs it";
    const std::string expected = std::getenv("EXPECTED_SOURCE");
    Program program;
    program.seconds(1, sum, false);
    EXPECT_EQ(program.runs(sum).source, expected);
    program.seconds(2000, sum, false);
    EXPECT_EQ(program.runs(sum).source, "trial");
}

}  // namespace
}  // namespace echelon
