// SPDX-License-Identifier: Apache-2.0
// Choosing by a profile in a running program: train, save, load, policies, explain, trials. 4 ranks.
#include "core/file.hpp"
#include "estimators/profile/profile.hpp"
#include "groups/layout.hpp"
#include "tests/support/communicators.hpp"
#include "tuner/tuner.hpp"

#include <echelon/echelon.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <echelon/echelon.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>

namespace echelon {
namespace {

using testing::HasSubstr;

/// Rank 0 writes these files into the build folder; the tests run on one machine.
const char* const profile_file = "tuning_test_profile.json";
const char* const saved_file = "tuning_test_saved.json";

/// A duplicate of the world whose errors return.
class Own {
public:
    Own() {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
        MPI_Comm_rank(comm_, &rank_);
    }
    ~Own() { MPI_Comm_free(&comm_); }
    Own(const Own&) = delete;
    Own& operator=(const Own&) = delete;
    MPI_Comm get() const { return comm_; }
    int rank() const { return rank_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
};

std::string layout_here() {
    Own own;
    return layout_of(State::of(own.get())->own().placement(true, false));
}

/// Profile in which native takes `native` seconds for 1 KiB, and a ring 10 us.
std::string profile_text(const std::string& layout, double native,
                         const std::string& collective = "allreduce") {
    const auto sample = [&](const char* recipe, double seconds) {
        return R"({"collective": ")" + collective + R"(", "p": 4, "layout": ")" + layout +
               R"(", "bytes": 1024, "recipe": ")" + recipe + R"(", "seconds": )" + std::to_string(seconds) +
               "}";
    };
    return R"({"echelon_profile": 1, "parameters": {"inside": {"model": "hockney", "alpha": 1e-4, "beta": 1e-9},
        "between": {"model": "hockney", "alpha": 1e-4, "beta": 1e-9}, "residual": 0.05}, "samples": [)" +
           sample("ring", 1e-5) + ", " + sample("native", native) + "]}";
}

void write(const Own& own, const char* file, const std::string& text) {
    if (own.rank() == 0) std::ofstream(file) << text;
    MPI_Barrier(own.get());
}

TEST(Tuning, a_loaded_profile_decides) {
    const std::string layout = layout_here();
    Own own;
    write(own, profile_file, profile_text(layout, 1e-3));
    Tuning tuning(own.get());
    EXPECT_THROW((void)tuning.explain("allreduce", 1024), TuningError) << "there is no profile yet";
    tuning.load(profile_file);
    EXPECT_EQ(tuning.would_run("allreduce", 1024).recipe, "ring");
    EXPECT_EQ(tuning.would_run("allreduce", 1024).source, "model");
    EXPECT_EQ(tuning.would_run("bcast", 1024).recipe, "native") << "which was not measured";

    const Explained explained = tuning.explain("allreduce", 1024);
    EXPECT_EQ(explained.recipe, "ring");
    EXPECT_EQ(explained.candidates.at(0).basis, "measured");
    EXPECT_GT(explained.candidates.size(), 5u);
    EXPECT_EQ(nlohmann::json::parse(explained.json)["chosen"], "ring");

    tuning.policy("allreduce", "native", 0, 512);
    EXPECT_EQ(tuning.would_run("allreduce", 512).recipe, "native");
    EXPECT_EQ(tuning.would_run("allreduce", 1024).recipe, "ring");
    EXPECT_THROW(tuning.policy("allreduce", "best"), TuningError);
    EXPECT_GE(tuning.best_groups("allreduce", 1024), 1);

    EXPECT_THROW(tuning.load("no such file.json"), TuningError);
    write(own, profile_file, "{\"echelon_profile\": 1, \"rules\": 7}");
    EXPECT_THROW(tuning.load(profile_file), TuningError);
    EXPECT_EQ(tuning.would_run("allreduce", 1024).recipe, "ring") << "all is as before";
}

// A bcast does not synchronise: rank 0 sends its decisions for bcasts when the profile is loaded.
TEST(Tuning, a_loaded_profile_holds_from_the_next_bcast_on) {
    const std::string layout = layout_here();
    Own own;
    write(own, profile_file, profile_text(layout, 1e-3, "bcast"));
    Tuning tuning(own.get());
    const auto ran = [&] {
        char data[1024] = {};
        bcast(data, sizeof data, MPI_CHAR, 0, own.get());
        const auto& plans = State::of(own.get())->plans().all();
        EXPECT_EQ(plans.size(), 1u);
        return to_string(plans.begin()->second.choice.recipe);
    };
    EXPECT_EQ(ran(), "native");
    tuning.load(profile_file);
    EXPECT_EQ(ran(), "ring");
}

// A profile with sites makes the ranks exchange their locations again: all ranks together, not the first rank
// that asks for a decision.
TEST(Tuning, a_profile_of_several_sites_leaves_no_rank_waiting) {
    const std::string layout = layout_here();
    Own own;
    std::string text = profile_text(layout, 1e-3);
    const std::string last = R"("residual": 0.05)";
    text.insert(text.find(last) + last.size(),
                R"(, "sites": {"network": {"model": "hockney", "alpha": 1e-2, "beta": 1e-9},
        "hosts": [["elsewhere"], ["nowhere"]]})");
    write(own, profile_file, text);
    Tuning tuning(own.get());
    (void)State::of(own.get())->own().placement(true, true);
    tuning.load(profile_file);
    if (own.rank() == 1) {
        EXPECT_EQ(tuning.would_run("allreduce", 1024).recipe, "ring");
    }
}

TEST(Tuning, training_measures_and_what_is_saved_can_be_loaded) {
    Own own;
    Tuning tuning(own.get());
    tuning.train("allreduce", {1024}, 0.5);
    tuning.train("bcast", {1024}, 0.5);
    const Explained explained = tuning.explain("allreduce", 1024);
    int measured = 0;
    for (const auto& candidate : explained.candidates) measured += candidate.basis == "measured" ? 1 : 0;
    EXPECT_GT(measured, 1) << explained.json;
    tuning.save(saved_file);
    for (const Sample& sample :
         own.rank() == 0 ? Profile::parse(read_file(saved_file)).samples : std::vector<Sample>())
        if (sample.recipe.kind == Recipe::Kind::native) {
            EXPECT_EQ(sample.in_a_row > 0, sample.collective == Collective::bcast)
                << "ranks may leave a bcast early";
        }
    Own another;
    Tuning(another.get()).load(saved_file);
    EXPECT_EQ(Tuning(another.get()).explain("allreduce", 1024).json, explained.json);
    EXPECT_THROW(tuning.save("/no/such/folder/profile.json"), TuningError);
    EXPECT_THROW(tuning.train("allreduce", {}), TuningError);
}

TEST(Tuning, calls_of_c) {
    const std::string layout = layout_here();
    Own own;
    write(own, profile_file, profile_text(layout, 1e-3));
    ASSERT_EQ(echelon_load(own.get(), profile_file), MPI_SUCCESS);
    int groups = 0;
    EXPECT_EQ(echelon_best_groups(own.get(), "allreduce", 1024, &groups), MPI_SUCCESS);
    EXPECT_GE(groups, 1);
    char json[64];
    std::size_t needed = 0;
    EXPECT_EQ(echelon_explain(own.get(), "allreduce", 1024, json, sizeof json, &needed), MPI_SUCCESS);
    EXPECT_GT(needed, sizeof json);
    EXPECT_EQ(std::string(json).size(), sizeof json - 1);
    EXPECT_EQ(echelon_policy(own.get(), "allreduce", "native", 0, ECHELON_NO_LIMIT), MPI_SUCCESS);
    EXPECT_NE(echelon_load(own.get(), "no such file.json"), MPI_SUCCESS);
    EXPECT_THAT(echelon_error_text(), HasSubstr("no such file.json"));
}

// An empty range of sizes was accepted, and a negative count read memory in front of the sizes.
TEST(Tuning, wrong_arguments_are_refused) {
    Own own;
    write(own, profile_file, profile_text(layout_here(), 1e-3));
    ASSERT_EQ(echelon_load(own.get(), profile_file), MPI_SUCCESS);
    MPI_Comm_set_errhandler(own.get(), MPI_ERRORS_RETURN);
    const std::size_t size = 1024;
    const auto refused = [](int code, const char* sentence) {
        int its_class = MPI_SUCCESS;
        MPI_Error_class(code, &its_class);
        EXPECT_EQ(its_class, MPI_ERR_ARG);
        EXPECT_THAT(echelon_error_text(), HasSubstr(sentence));
    };
    refused(echelon_policy(own.get(), "allreduce", "native", 9, 8),
            "bytes 9 to 8: the end is below the beginning");
    refused(echelon_trials(own.get(), "allreduce", 5, 9, 8), "bytes 9 to 8: the end is below the beginning");
    refused(echelon_train(own.get(), "allreduce", &size, -1, 1),
            "train: expected a number of sizes from 0 on, not -1");
    EXPECT_EQ(echelon_policy(own.get(), "allreduce", "native", 8, 8), MPI_SUCCESS);
}

/// A range without an upper end used the algorithms of its shortest calls for all sizes.
TEST(Tuning, groups_take_the_algorithms_of_each_size) {
    Own own;
    Tuning tuning(own.get());
    tuning.groups("allreduce", 2);
    EXPECT_EQ(tuning.would_run("allreduce", 8).recipe, "leaders(G=2, binomial, recursive_doubling)");
    EXPECT_EQ(tuning.would_run("allreduce", 64 << 10).recipe, "leaders(G=2, binomial, recursive_doubling)");
    EXPECT_EQ(tuning.would_run("allreduce", (64 << 10) + 1).recipe, "leaders(G=2, binomial, rabenseifner)");
    EXPECT_EQ(tuning.would_run("allreduce", std::size_t(4) << 30).recipe,
              "leaders(G=2, binomial, rabenseifner)");
    tuning.clear("allreduce");
    tuning.groups("allreduce", 2, 1024, 4096);
    EXPECT_NE(tuning.would_run("allreduce", 1023).source, "hint");
    EXPECT_EQ(tuning.would_run("allreduce", 1024).source, "hint");
    EXPECT_NE(tuning.would_run("allreduce", 64 << 20).source, "hint") << "beyond the range";
    EXPECT_THROW(tuning.groups("allreduce", 2, 4096, 1024), TuningError);
}

/// A budget for one range of sizes leaves the others alone.
TEST(Trials, take_the_budget_that_is_set) {
    const std::string layout = layout_here();
    Own own;
    write(own, profile_file, profile_text(layout, 1e-3));
    Tuning tuning(own.get());
    tuning.load(profile_file);
    tuning.trials("allreduce", 0, 0, 1024);
    State& state = *State::of(own.get());
    std::vector<double> in(128, 1), out(128);
    const auto call = [&] { allreduce(in.data(), out.data(), 128, MPI_DOUBLE, MPI_SUM, own.get()); };
    for (int i = 0; i < 100; ++i) call();
    EXPECT_FALSE(Tuner::of(state).trying());
    EXPECT_TRUE(Tuner::of(state).findings().empty());
    tuning.trials("allreduce", 50, 512, 2048);
    call();
    EXPECT_TRUE(Tuner::of(state).trying());
    int calls = 0;
    for (; Tuner::of(state).findings().empty() && calls < 10000; ++calls) call();
    EXPECT_EQ(Tuner::of(state).findings().size(), 1u)
        << "trials take half of the time, of a few recipes, 24 of each at most";
    EXPECT_THROW(tuning.trials("allreduce", 51), TuningError);
}

/// The choice is final after some dozens of calls, on all ranks alike, for any profile.
TEST(Trials, settle_and_are_written_back) {
    const std::string layout = layout_here();
    Own own;
    write(own, profile_file, profile_text(layout, 1e-3));
    Tuning tuning(own.get());
    tuning.load(profile_file);
    tuning.trials("allreduce", 50);
    State& state = *State::of(own.get());
    std::vector<double> in(128, 1), out(128);
    int calls = 0;
    bool is_tried_against_native = false;
    // A first call that was interrupted on a busy machine is paid for before the next trial.
    for (; Tuner::of(state).findings().empty() && calls < 20000; ++calls) {
        ASSERT_EQ(allreduce(in.data(), out.data(), 128, MPI_DOUBLE, MPI_SUM, own.get()), MPI_SUCCESS);
        // The summary said "native because" of an unfinished trial, while the profile's ring ran.
        bool serves_ring = true;
        for (const auto& [calls_of, one] : Tuner::of(state).calls()) {
            is_tried_against_native |= one.stage == Stage::trying;
            const Row* const row = Tuner::of(state).table().find(one.key);
            serves_ring &= row != nullptr && row->choice.recipe.kind != Recipe::Kind::native;
        }
        if (serves_ring) {
            EXPECT_THAT(Tuner::of(state).reasons(), testing::IsEmpty());
        }
    }
    EXPECT_TRUE(is_tried_against_native);
    ASSERT_EQ(Tuner::of(state).findings().size(), 1u) << "after " << calls << " calls";
    EXPECT_EQ(out[0], 4);
    const LearnedDecision found = Tuner::of(state).findings().front();
    EXPECT_GT(found.seconds, 0);
    EXPECT_EQ(tuning.would_run("allreduce", 1024).source, "trial");
    EXPECT_EQ(tuning.would_run("allreduce", 1024).recipe, to_string(found.recipe));

    tuning.save(saved_file);
    Own another;
    Tuning(another.get()).load(saved_file);
    EXPECT_EQ(Tuning(another.get()).would_run("allreduce", 1024).recipe, to_string(found.recipe));
    EXPECT_EQ(Tuning(another.get()).would_run("allreduce", 1024).source, "profile_decision");
}

// Communicators of two or three ranks never looked up their placement if MPI_Init was not intercepted: they
// tried nothing.
TEST(Untuned, two_ranks_find_out_that_they_share_a_node_and_try_its_memory) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm pair = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &pair);
    std::vector<double> in(8192, 1), out(in.size());
    for (int i = 0; i < 200; ++i)
        ASSERT_EQ(echelon::allreduce(in.data(), out.data(), int(in.size()), MPI_DOUBLE, MPI_SUM, pair),
                  MPI_SUCCESS);
    EXPECT_EQ(out.back(), 2);
    Tuner& tuner = Tuner::of(*State::of(pair));
    EXPECT_TRUE(tuner.trying() || !tuner.findings().empty());
    MPI_Comm_free(&pair);
}

}  // namespace
}  // namespace echelon
