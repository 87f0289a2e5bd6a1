// SPDX-License-Identifier: Apache-2.0
// Tuning that goes by the machine's profile.
#include "api/tuned.hpp"
#include "core/file.hpp"
#include "estimators/choice/explain.hpp"
#include "front/decide.hpp"
#include "front/settle.hpp"
#include "front/tell_usual.hpp"
#include "groups/ways.hpp"
#include "hier/lists.hpp"
#include "measure/calibrate.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/fingerprint.hpp"

#include <deque>

namespace echelon {
namespace {

Advisor& advisor_or_throw(State& state) {
    if (Advisor* const advisor = state.machine().advisor()) return *advisor;
    throw Error(
        "this communicator has no profile: run echelon-calibrate and set ECHELON_PROFILE, or use train() or load()");
}

/// Rank 0's text, or its error on all ranks.
template <class Make>
std::string from_rank_0(State& state, Make&& make) {
    std::string text, failure;
    if (state.rank() == 0) {
        try {
            text = make();
        } catch (const Error& error) {
            failure = error.what();
        }
    }
    failure = broadcast(failure, state.user());
    if (!failure.empty()) throw Error(failure);
    return broadcast(text, state.user());
}

/// What the communicator goes by, with the findings of its trials in front: the last ones hold.
Profile with_findings(State& state) {
    Profile profile = state.machine().has_profile() ? *state.machine().profile() : Profile();
    if (!state.machine().has_profile() && state.rank() == 0) profile.fingerprint = fingerprint_here();
    const std::string layout = state.machine().layout();
    std::vector<LearnedDecision> found;
    for (const auto& [calls, finding] : state.contests().findings())
        found.push_back(learned(calls, finding, state.size(), layout));
    profile.decisions.insert(profile.decisions.begin(), found.begin(), found.end());
    return profile;
}

/// What rank 0 says by it of usual calls holds from the next call on, also of such as wait for nobody, in which nobody could be told. Collective.
void go_by(State& state, Profile profile) {
    state.set_profile(std::make_shared<const Profile>(std::move(profile)));
    if (!state.requests().settled()) settle(state);
    if (!state.requests().at_odds()) tell_usual_calls(state, true);
}

Explanation explain(State& state, std::string_view collective, std::size_t bytes) {
    return explain(advisor_or_throw(state), parse_collective(collective), bytes, Trainer::operation());
}

void train(State& state, const Training& training) {
    if (training.sizes.empty() || !(training.seconds > 0))
        throw Error("train: expected some sizes, and seconds above 0");
    Profile profile = state.machine().has_profile() ? *state.machine().profile() : Profile();
    {
        Trainer trainer(state);
        if (profile.parameters && !profile.samples.empty())
            train(trainer, profile, training);
        else
            calibrate(trainer, profile, training);
    }
    go_by(state, std::move(profile));
}

void save(State& state, const std::string& file) {
    const Profile profile = with_findings(state);
    (void)from_rank_0(state, [&]() -> std::string {
        write_file(file, to_json(profile));
        return {};
    });
}

void load(State& state, const std::string& file) {
    const std::string text = from_rank_0(state, [&] {
        try {
            std::string text = read_file(file);
            (void)Profile::parse(text);
            return text;
        } catch (const Error& error) {
            throw Error("profile '" + file + "': " + error.what());
        }
    });
    go_by(state, Profile::parse(text));
}

}  // namespace
}  // namespace echelon

using namespace echelon;

int echelon_policy(MPI_Comm comm, const char* collective, const char* policy, size_t from, size_t to) {
    return tuned(comm, [&](State& state) {
        const Policy named = parse_policy(policy);
        advisor_or_throw(state).set_policy(parse_collective(collective), {from, to}, named);
        state.clear_plans();
    });
}

int echelon_trials(MPI_Comm comm, const char* collective, int percent, size_t from, size_t to) {
    return tuned(comm, [&](State& state) {
        if (percent < 0 || percent > 50)
            throw Error("trials: expected a percentage from 0 to 50, not " + std::to_string(percent));
        state.contests().set_percent(parse_collective(collective), {from, to}, percent);
        state.clear_plans();
    });
}

int echelon_best_groups(MPI_Comm comm, const char* collective, size_t bytes, int* groups) {
    return tuned(comm, [&](State& state) {
        const Collective which = parse_collective(collective);
        if (Advisor* const advisor = state.machine().advisor())
            *groups = advisor->decider().best_groups(which, bytes, Trainer::operation());
        else if (const auto decider = prior(state, PriorMachine::Known::by_all))
            *groups = decider->best_groups(which, bytes, Trainer::operation());
        else
            *groups = 1;
    });
}

int echelon_train(MPI_Comm comm, const char* collective, const size_t* sizes, int count, double seconds) {
    return tuned(comm, [&](State& state) {
        train(state, {.collectives = {parse_collective(collective)},
                      .sizes = {sizes, sizes + count},
                      .seconds = seconds});
    });
}

int echelon_save(MPI_Comm comm, const char* file) {
    return tuned(comm, [&](State& state) { save(state, file); });
}

int echelon_load(MPI_Comm comm, const char* file) {
    return tuned(comm, [&](State& state) { load(state, file); });
}

int echelon_explain(MPI_Comm comm, const char* collective, size_t bytes, char* json, size_t length,
                    size_t* needed) {
    return tuned(comm, [&](State& state) {
        const std::string text = to_json(explain(state, collective, bytes));
        copy_text(text, json, length);
        if (needed != nullptr) *needed = text.size() + 1;
    });
}

int echelon_tell_explained(MPI_Comm comm, const char* collective, size_t bytes,
                           void (*tell)(void*, const echelon_explained*), void* into) {
    return tuned(comm, [&](State& state) {
        const Explanation found = explain(state, collective, bytes);
        const std::string chosen = to_string(found.chosen), json = to_json(found);
        std::deque<std::string> recipes;  // keeps its texts where they are
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
