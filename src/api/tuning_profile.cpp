// SPDX-License-Identifier: Apache-2.0
// The functions of Tuning that go by the machine's profile.
#include "api/calibrate.hpp"
#include "api/choose.hpp"
#include "api/told.hpp"
#include "core/file.hpp"
#include "estimators/explain.hpp"
#include "groups/ways.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/fingerprint.hpp"

namespace echelon {
namespace {

Advisor& advisor_or_throw(State& state) {
    if (Advisor* const advisor = state.advisor()) return *advisor;
    throw TuningError(
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
    if (!failure.empty()) throw TuningError(failure);
    return broadcast(text, state.user());
}

/// What the communicator goes by, with the findings of its trials in front: the last ones hold.
Profile with_findings(State& state) {
    Profile profile = state.profile() != nullptr ? *state.profile() : Profile();
    if (state.profile() == nullptr && state.rank() == 0) profile.fingerprint = fingerprint_here();
    const std::string layout = layout_of(state.placement(true, true));
    std::vector<LearnedDecision> found;
    for (const auto& [calls, finding] : state.contests().findings())
        found.push_back(learned(calls, finding, state.size(), layout));
    profile.decisions.insert(profile.decisions.begin(), found.begin(), found.end());
    return profile;
}

}  // namespace

void Tuning::policy(std::string_view collective, std::string_view policy, std::size_t from, std::size_t to) {
    told([&] {
        State& state = state_or_throw(comm_);
        const auto named = policy_named(policy);
        if (!named)
            throw TuningError("policy '" + std::string(policy) +
                              "' is none of model, sqrt, rabenseifner2004, native");
        advisor_or_throw(state).set_policy(collective_or_throw(collective), {from, to}, *named);
        state.clear_plans();
    });
}

void Tuning::trials(std::string_view collective, int percent, std::size_t from, std::size_t to) {
    told([&] {
        State& state = state_or_throw(comm_);
        if (percent < 0 || percent > 50)
            throw TuningError("trials: expected a percentage from 0 to 50, not " + std::to_string(percent));
        state.set_trials(collective_or_throw(collective), {from, to}, percent);
    });
}

int Tuning::best_groups(std::string_view collective, std::size_t bytes) const {
    return told([&] {
        State& state = state_or_throw(comm_);
        const Collective which = collective_or_throw(collective);
        if (Advisor* const advisor = state.advisor())
            return advisor->decider().best_groups(which, bytes, Trainer::operation());
        const auto decider = prior(state);
        return decider ? decider->best_groups(which, bytes, Trainer::operation()) : 1;
    });
}

void Tuning::train(std::string_view collective, const std::vector<std::size_t>& sizes, double seconds) {
    told([&] {
        State& state = state_or_throw(comm_);
        if (sizes.empty() || !(seconds > 0))
            throw TuningError("train: expected some sizes, and seconds above 0");
        Profile profile = state.profile() != nullptr ? *state.profile() : Profile();
        const Lessons lessons{.collectives = {collective_or_throw(collective)},
                              .sizes = {sizes.begin(), sizes.end()},
                              .seconds = seconds};
        {
            Trainer trainer(state);
            if (profile.parameters && !profile.samples.empty())
                echelon::train(trainer, profile, lessons);
            else
                calibrate(trainer, profile, lessons);
        }
        state.set_profile(std::make_shared<const Profile>(std::move(profile)));
    });
}

void Tuning::save(const std::string& file) const {
    told([&] {
        State& state = state_or_throw(comm_);
        const Profile profile = with_findings(state);
        (void)from_rank_0(state, [&]() -> std::string {
            write_file(file, to_json(profile));
            return {};
        });
    });
}

void Tuning::load(const std::string& file) {
    told([&] {
        State& state = state_or_throw(comm_);
        const std::string text = from_rank_0(state, [&] {
            try {
                return KnownProfile::of(read_file(file)).text;
            } catch (const Error& error) {
                throw Error("profile '" + file + "': " + error.what());
            }
        });
        state.set_profile(KnownProfile::of(text).profile);
    });
}

Explained Tuning::explain(std::string_view collective, std::size_t bytes) const {
    return told([&] {
        State& state = state_or_throw(comm_);
        const Explanation found = echelon::explain(advisor_or_throw(state), collective_or_throw(collective),
                                                   bytes, Trainer::operation());
        Explained told{.recipe = to_string(found.chosen),
                       .source = std::string(name(found.from)),
                       .candidates = {},
                       .rejected = {},
                       .json = to_json(found)};
        for (const echelon::Candidate& one : found.decision.ranked)
            told.candidates.push_back({to_string(one.recipe), one.expected, one.predicted, one.error,
                                       std::string(name(one.basis)), one.reason});
        for (const auto& [recipe, reason] : found.rejected)
            told.rejected.push_back({to_string(recipe), reason});
        return told;
    });
}

}  // namespace echelon
