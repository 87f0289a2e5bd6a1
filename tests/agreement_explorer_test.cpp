// SPDX-License-Identifier: Apache-2.0
/// The ranks agree in all executions of small programs that MPI permits. After each call they hold the same
/// state of each class and the same rows. A rank that runs another recipe than the others waits for ever, or
/// finds wrong data.
#include "core/file.hpp"
#include "groups/layout.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/fingerprint.hpp"
#include "support/mpi_explorer.hpp"
#include "tuner/mail.hpp"

#include <gtest/gtest.h>
#include <echelon/echelon.hpp>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <vector>

namespace echelon {
namespace {

using mpi_explorer::Sends;

/// The state that all ranks hold alike after a call.
std::string state_of(Tuner& tuner) {
    std::string text;
    for (const auto& [calls, state] : tuner.calls()) {
        text += "; " + std::string(name(calls.collective)) +
                (state.stage == Stage::counting  ? " counts"
                 : state.stage == Stage::untried ? " is untried"
                 : state.stage == Stage::trying  ? " tries"
                                                 : " is fixed");
        for (const long number :
             {state.made(), long(state.asks), long(state.unable), long(state.course.is_done()), state.rhythm})
            text += ' ' + std::to_string(number);
        if (const Row* const row = tuner.table().find(state.key))
            text += ' ' + to_string(row->choice.recipe) + ' ' +
                    std::to_string(std::hash<std::string>()(to_bytes({*row})));
    }
    return text;
}

/// The calls of a program on MPI_COMM_WORLD, and its end.
class Calls {
public:
    Calls() { Process::instance()->initialized(); }
    ~Calls() { Process::instance()->close(); }
    Tuner& tuner() { return Tuner::of(*State::of(MPI_COMM_WORLD)); }

    void allreduce() {
        int sum = rank_ + number_;
        const int own = sum, all = size_ * (size_ - 1) / 2 + size_ * number_;
        echelon::allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        end("allreduce", sum == all);
    }
    void bcast(int root) {
        int told = rank_ == root ? number_ : -1;
        echelon::bcast(&told, 1, MPI_INT, root, MPI_COMM_WORLD);
        end("bcast from " + std::to_string(root), told == number_);
    }
    /// Blocks of `least` to `least` + 2 elements.
    void gatherv(int root, int least = 0) {
        const Blocks blocks(*this, least, root);
        std::vector<int> all(blocks.data.size(), -1);
        echelon::gatherv(blocks.data.data() + blocks.places[std::size_t(rank_)],
                         blocks.counts[std::size_t(rank_)], MPI_INT, all.data(), blocks.counts.data(),
                         blocks.places.data(), MPI_INT, root, MPI_COMM_WORLD);
        end("gatherv to " + std::to_string(root), rank_ != root || all == blocks.data);
    }
    void alltoallv(int least = 0) {
        const Blocks blocks(*this, least, rank_);
        std::vector<int> all(blocks.data.size(), -1);
        echelon::alltoallv(blocks.data.data(), blocks.counts.data(), blocks.places.data(), MPI_INT,
                           all.data(), blocks.counts.data(), blocks.places.data(), MPI_INT, MPI_COMM_WORLD);
        end("alltoallv", all == blocks.data);
    }
    /// Makes a class whose trial costs nothing: a short program sees its end.
    void try_recipes(Collective collective, const std::vector<const char*>& names,
                     BlockLengths lengths = BlockLengths::equal) {
        PlanKey key = call_of(collective, sizeof(int));
        key.lengths = lengths;
        Row row{.key = key, .choice = {.recipe = {}, .source = Source::built_in}};
        std::vector<Trial::Arm> arms;
        for (const char* const one : names) {
            arms.push_back({.recipe = Recipe::parse(one), .expected = 1, .seen = true});
            row.arms.push_back(arms.back().recipe);
        }
        const bool waits = tuner().classes().of(key).waits_for_all();
        Trial trial(arms, {.evidence = waits ? Trial::Evidence::own_clocks : Trial::Evidence::blocks,
                           .share = 1,
                           .first_share = 1,
                           .ranks = size_});
        row.agenda = trial.next();
        const CallClass calls = tuner().classes().of(key);
        if (rank_ == 0) tuner().trials().insert_or_assign(calls, std::move(trial));
        tuner().calls()[calls].key = key;
        take(tuner(), rows_of(broadcast(to_bytes({row}), MPI_COMM_WORLD)).front(), true);
    }

private:
    /// Blocks of this rank or of all, whose lengths depend on both ranks of an exchange; the data are alike.
    struct Blocks {
        std::vector<int> counts, places, data;
        Blocks(const Calls& calls, int least, int other) {
            for (int r = 0; r < calls.size_; ++r) {
                places.push_back(int(data.size()));
                counts.push_back(least + (r + other + calls.number_) % 3);
                data.resize(data.size() + std::size_t(counts.back()), r + other + calls.number_);
            }
        }
    };
    void end(const std::string& call, bool good) {
        mpi_explorer::expect(good, "wrong data");
        mpi_explorer::agree("call " + std::to_string(++number_) + ", " + call + state_of(tuner()));
    }
    const int rank_ = rank_of(MPI_COMM_WORLD), size_ = size_of(MPI_COMM_WORLD);
    int number_ = 0;
};

/// Explores a program; `last` is a part of the last text of each of its executions.
void expect_agreement(int ranks, const std::function<void(Calls&)>& program, const std::string& last,
                      long least_runs) {
    for (const Sends sends : {Sends::keep, Sends::wait}) {
        const auto found = mpi_explorer::explore(ranks, sends, [&] {
            Calls calls;
            program(calls);
            mpi_explorer::expect(state_of(calls.tuner()).find(last) != std::string::npos,
                                 "the end is" + state_of(calls.tuner()));
        });
        EXPECT_EQ(found.defect, "");
        EXPECT_GE(found.runs, least_runs);
    }
}

TEST(AgreementExplorer, nothing_is_set) {
    const auto calls = [](Calls& program) {
        for (int i = 0; i < 100; ++i) program.allreduce();
    };
    expect_agreement(4, calls, "allreduce tries", 10);
}

/// Two roots in turn: the calls in which roots tell, ever fewer, were always calls of the same root.
TEST(AgreementExplorer, roots_in_turn_tell) {
    const auto calls = [](Calls& program) {
        for (int i = 0; i < 16; ++i) program.bcast(i % 2);
    };
    expect_agreement(4, calls, "bcast tries", 10);
}

TEST(AgreementExplorer, a_trial_in_calls_from_a_root) {
    const auto calls = [](Calls& program) {
        program.try_recipes(Collective::bcast, {"native", "binomial", "flat_tree"});
        for (int i = 0; i < 24; ++i) program.bcast(i % 3);
    };
    expect_agreement(4, calls, "bcast", 20);
}

TEST(AgreementExplorer, trials_of_two_classes) {
    const auto calls = [](Calls& program) {
        program.try_recipes(Collective::bcast, {"native", "binomial"});
        program.try_recipes(Collective::allreduce, {"native", "ring"});
        for (int i = 0; i < 20; ++i) {
            program.bcast(i % 2);
            if (i % 4 == 3) program.allreduce();
        }
    };
    expect_agreement(4, calls, "bcast", 10);
}

/// Each rank knows the lengths of its own blocks, of which some are empty.
TEST(AgreementExplorer, trials_of_calls_without_a_common_size) {
    const auto calls = [](Calls& program) {
        program.try_recipes(Collective::gather, {"native", "binomial"}, BlockLengths::own);
        program.try_recipes(Collective::alltoall, {"native", "bruck"}, BlockLengths::own);
        for (int i = 0; i < 32; ++i) {
            program.gatherv(i % 2);
            program.alltoallv();
            if (i % 4 == 3) program.allreduce();
        }
    };
    expect_agreement(4, calls, "alltoall is fixed", 20);
}

/// Rank 0 was asked although its answer could not travel: all later calls took part in messages.
TEST(AgreementExplorer, calls_without_a_common_size_ask_once_an_answer_can_come) {
    const auto calls = [](Calls& program) {
        for (int i = 0; i < 200; ++i) program.gatherv(0, 1);
        mpi_explorer::expect(!program.tuner().mail().open, "a message is awaited");
        for (int i = 0; i < 240; ++i) {
            program.gatherv(0, 1);
            if (i % 4 == 3) program.allreduce();
        }
    };
    expect_agreement(4, calls, "gather tries", 1);
}

/// Rank 0 has a profile, and tells its table before the first call. The classes look again later.
class WithProfile : public testing::TestWithParam<int> {
protected:
    void SetUp() override {
        std::vector<Location> nodes;
        for (int i = 0; i < GetParam(); ++i) nodes.push_back({.node = std::uint64_t(i)});
        Profile profile{.fingerprint = fingerprint_here()};
        profile.parameters.emplace();
        profile.parameters->machine = {.inside = Hockney{1e-4, 1e-9}, .between = Hockney{1e-4, 1e-9}};
        for (const Collective collective : {Collective::allreduce, Collective::bcast})
            for (const auto& [recipe, seconds] : {std::pair("native", 1e-2), std::pair("binomial", 1e-3)})
                profile.samples.push_back({.collective = collective,
                                           .p = GetParam(),
                                           .layout = layout_of(Placement::from(nodes)),
                                           .bytes = sizeof(int),
                                           .recipe = Recipe::parse(recipe),
                                           .seconds = seconds});
        write_file(file_, to_json(profile));
        setenv("ECHELON_PROFILE", file_.c_str(), 1);
    }
    void TearDown() override {
        unsetenv("ECHELON_PROFILE");
        std::filesystem::remove(file_);
    }
    const std::string file_ =
        (std::filesystem::temp_directory_path() / ("explorer" + std::to_string(getpid()))).string();
};

TEST_P(WithProfile, both_kinds_of_calls) {
    const auto calls = [](Calls& program) {
        for (int i = 0; i < 28; ++i) {
            program.bcast(i % 2);
            if (i % 4 == 3) program.allreduce();
        }
    };
    expect_agreement(GetParam(), calls, "binomial", 1);
}

INSTANTIATE_TEST_SUITE_P(Ranks, WithProfile, testing::Values(2, 3));

}  // namespace
}  // namespace echelon
