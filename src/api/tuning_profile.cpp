// SPDX-License-Identifier: Apache-2.0
// Tuning functions that use the machine's profile.
#include "api/tuned.hpp"
#include "core/file.hpp"
#include "estimators/choice/explain.hpp"
#include "groups/ways.hpp"
#include "hier/lists.hpp"
#include "measure/calibrate.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/fingerprint.hpp"
#include "tuner/decide.hpp"
#include "tuner/mail.hpp"
#include "tuner/tell_table.hpp"

#include <deque>

namespace echelon {
namespace {

Advisor& advisor_or_throw(Tuner& tuner) {
    if (Advisor* const advisor = tuner.machine().advisor()) return *advisor;
    throw Error(
        "this communicator has no profile: run echelon-calibrate and set ECHELON_PROFILE, or use train() or load()");
}

/// Rank 0's text on all ranks, or its error on all ranks. Collective.
template <class Make>
std::string from_rank_0(Tuner& tuner, Make&& make) {
    std::string text, failure;
    if (tuner.rank() == 0) {
        try {
            text = make();
        } catch (const Error& error) {
            failure = error.what();
        }
    }
    failure = broadcast(failure, tuner.user());
    if (!failure.empty()) throw Error(failure);
    return broadcast(text, tuner.user());
}

/// The communicator's profile, with the findings of its trials in front: the latest findings win.
Profile with_findings(Tuner& tuner) {
    Profile profile = tuner.machine().has_profile() ? *tuner.machine().profile() : Profile();
    if (!tuner.machine().has_profile() && tuner.rank() == 0) profile.fingerprint = fingerprint_here();
    const std::vector<LearnedDecision> found = tuner.findings();
    profile.decisions.insert(profile.decisions.begin(), found.begin(), found.end());
    return profile;
}

/// Sets the profile and broadcasts rank 0's decisions for common sizes, which hold from the next call on,
/// also for collectives in which the ranks cannot exchange decisions. Collective.
void go_by(Tuner& tuner, Profile profile) {
    tuner.set_profile(std::make_shared<const Profile>(std::move(profile)));
    if (!tuner.requests().settled()) settle(tuner);
    if (!tuner.requests().at_odds()) tell_table(tuner, true);
}

Explanation explain(Tuner& tuner, const char* collective, std::size_t bytes) {
    return explain(advisor_or_throw(tuner), collective_or_throw(collective), bytes, Trainer::operation());
}

void train(Tuner& tuner, const Training& training) {
    if (training.sizes.empty() || !(training.seconds > 0))
        throw Error("train: expected some sizes, and seconds above 0");
    Profile profile = tuner.machine().has_profile() ? *tuner.machine().profile() : Profile();
    {
        Trainer trainer(tuner);
        if (profile.parameters && !profile.samples.empty())
            train(trainer, profile, training);
        else
            calibrate(trainer, profile, training);
    }
    go_by(tuner, std::move(profile));
}

void save(Tuner& tuner, const char* file) {
    const Profile profile = with_findings(tuner);
    (void)from_rank_0(tuner, [&]() -> std::string {
        write_file(text_or_throw(file, "file"), to_json(profile));
        return {};
    });
}

void load(Tuner& tuner, const char* file) {
    const std::string text = from_rank_0(tuner, [&] {
        const std::string given = text_or_throw(file, "file");
        try {
            std::string read = read_regular_file(given);
            (void)Profile::parse(read);
            return read;
        } catch (const Error& error) {
            throw Error("profile '" + given + "': " + error.what());
        }
    });
    go_by(tuner, Profile::parse(text));
}

}  // namespace
}  // namespace echelon

using namespace echelon;

int echelon_set_advisor(echelon_advisor advisor, void* context) {
    set_outside_model({advisor, context});
    return MPI_SUCCESS;
}

int echelon_policy(MPI_Comm comm, const char* collective, const char* policy, size_t from, size_t to) {
    return tuned(comm, [&](Tuner& tuner) {
        const Policy named = parse_policy(text_or_throw(policy, "policy"));
        advisor_or_throw(tuner).set_policy(collective_or_throw(collective), range_or_throw(from, to), named);
        tuner.clear_plans();
        tell_table(tuner, true);
    });
}

int echelon_trials(MPI_Comm comm, const char* collective, int percent, size_t from, size_t to) {
    return tuned(comm, [&](Tuner& tuner) {
        if (percent < 0 || percent > 50)
            throw Error("trials: expected a percentage from 0 to 50, not " + std::to_string(percent));
        tuner.set_percent(collective_or_throw(collective), range_or_throw(from, to), percent);
    });
}

int echelon_best_groups(MPI_Comm comm, const char* collective, size_t bytes, int* groups) {
    return tuned(comm, [&](Tuner& tuner) {
        const Collective which = collective_or_throw(collective);
        if (Advisor* const advisor = tuner.machine().advisor())
            *groups = advisor->decider().best_groups(which, bytes, Trainer::operation());
        else if (const auto decider = prior_decider(tuner))
            *groups = decider->best_groups(which, bytes, Trainer::operation());
        else
            *groups = 1;
    });
}

int echelon_train(MPI_Comm comm, const char* collective, const size_t* sizes, int count, double seconds) {
    return tuned(comm, [&](Tuner& tuner) {
        if (count < 0)
            throw Error("train: expected a number of sizes from 0 on, not " + std::to_string(count));
        train(tuner, {.collectives = {collective_or_throw(collective)},
                      .sizes = {sizes, sizes + count},
                      .seconds = seconds});
    });
}

int echelon_save(MPI_Comm comm, const char* file) {
    return tuned(comm, [&](Tuner& tuner) { save(tuner, file); });
}

int echelon_load(MPI_Comm comm, const char* file) {
    return tuned(comm, [&](Tuner& tuner) { load(tuner, file); });
}

int echelon_explain(MPI_Comm comm, const char* collective, size_t bytes, char* json, size_t length,
                    size_t* needed) {
    return tuned(comm, [&](Tuner& tuner) {
        const std::string text = to_json(explain(tuner, collective, bytes));
        copy_text(text, json, length);
        if (needed != nullptr) *needed = text.size() + 1;
    });
}

int echelon_tell_explained(MPI_Comm comm, const char* collective, size_t bytes,
                           void (*tell)(void*, const echelon_explained*), void* into) {
    return tuned(comm, [&](Tuner& tuner) {
        const Explanation found = explain(tuner, collective, bytes);
        const std::string chosen = to_string(found.chosen), json = to_json(found);
        std::deque<std::string> recipes;  // growing it moves no text
        const auto kept = [&](const Recipe& recipe) {
            return recipes.emplace_back(to_string(recipe)).c_str();
        };
        std::vector<echelon_candidate> candidates;
        for (const Candidate& one : found.decision.ranked)
            candidates.push_back({kept(one.recipe), one.expected, one.predicted, one.error,
                                  name(one.basis).data(), one.reason.c_str()});
        for (const auto& [recipe, reason] : found.rejected)
            candidates.push_back({kept(recipe), 0, 0, 0, "", reason.c_str()});
        const echelon_explained told{chosen.c_str(),    name(found.source).data(),    json.c_str(),
                                     candidates.data(), found.decision.ranked.size(), found.rejected.size()};
        tell(into, &told);
    });
}
