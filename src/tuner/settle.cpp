// SPDX-License-Identifier: Apache-2.0
#include "tuner/settle.hpp"

#include "tuner/choose.hpp"
#include "tuner/exchange_timings.hpp"
#include "tuner/tell.hpp"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>

namespace echelon {

void settle(Tuner& tuner, Telling how) {
    tuner.compare_requests();
    if (tuner.async_broadcast().under_way()) advance_telling(tuner, how);
    const std::vector<PlanKey> undecided = tuner.pending().take_undecided(tuner.requests().settled());
    const auto wanted = tuner.pending().take_wanted();
    if (tuner.requests().at_odds()) return;
    for (const auto& [recipe, key] : wanted)
        tuner.own().provide(recipe, key, PrivateCommunicator::Purpose::trial);
    if (!wanted.empty()) tuner.trials().resume();
    tell(tuner, undecided);
    exchange_timings(tuner);
    if (tuner.async_reduction().in_rounds() || tuner.trials().exchange_due() ||
        tuner.async_broadcast().under_way())
        tuner.pending().stay_open();
}

bool may_settle_from_0(Tuner& tuner) {
    constexpr int most = 256;
    const bool has_profile = tuner.machine().has_profile();
    return tuner.process().world().told_routes() != nullptr && tuner.size() >= least_ranks &&
           tuner.size() <= most && tuner.requests().settled() && !tuner.requests().at_odds() &&
           !tuner.forced_recipe().together() && tuner.forced_recipe().active() == nullptr &&
           tuner.own().knows_placement(true, has_profile) &&
           tuner.own().placement(true, has_profile).node_count() > 1;
}

namespace {

/// The message without recipes for which ranks would have to create something together.
DecisionMessage made_alone(Tuner& tuner, DecisionMessage message) {
    if (!message.decision) return message;
    auto& [choice, arms] = *message.decision;
    const auto cannot = [&](const Recipe& recipe) {
        return !tuner.own().can_provide_alone(recipe, message.key);
    };
    if (cannot(choice.recipe)) {
        choice = {.recipe = {}, .source = Source::built_in};
        std::stable_partition(arms.begin(), arms.end(), [](const Tournament::Arm& one) {
            return one.recipe.kind == Recipe::Kind::native;
        });
    }
    std::erase_if(arms, [&](const Tournament::Arm& one) { return cannot(one.recipe); });
    return message;
}

/// Rank 0's message: a new route if there is none, the minimum of all timings if it has arrived, and its
/// decisions.
std::string message_of_rank_0(Tuner& tuner, const std::vector<PlanKey>& undecided) {
    std::ostringstream text;
    text << std::setprecision(std::numeric_limits<double>::max_digits10);
    const int route = tuner.own().has_route() ? -1 : take_route(tuner);
    use_route(tuner, route);
    const std::vector<double> seen = tuner.async_reduction().least().value_or(std::vector<double>());
    text << route << ' ' << seen.size();
    for (const double number : seen) text << ' ' << number;
    text << '\n';
    for (const PlanKey& key : undecided) text << to_line(made_alone(tuner, message_for(tuner, key)));
    return text.str();
}

void take_message(Tuner& tuner, const std::string& text) {
    std::istringstream lines(text);
    int route = -1;
    std::size_t numbers = 0;
    lines >> route >> numbers;
    std::vector<double> seen(numbers);
    for (double& number : seen) lines >> number;
    lines.get();
    use_route(tuner, route);
    if (!seen.empty()) {
        tuner.async_reduction().give_up();
        tuner.take_findings(tuner.trials().take_in(seen));
    }
    take_lines(tuner, lines,
               [&](const Recipe& recipe, const PlanKey& key) { tuner.own().provide_alone(recipe, key); });
}

}  // namespace

void settle_from_0(Tuner& tuner) {
    const std::vector<PlanKey> undecided = tuner.pending().take_undecided(true);
    if (!undecided.empty() || tuner.async_reduction().under_way() || !tuner.own().has_route())
        take_message(tuner,
                     AsyncBroadcast::at_once(tuner.rank() == 0 ? message_of_rank_0(tuner, undecided) : "",
                                             tuner.user(), room_for(undecided.size())));
    const bool in_rounds = tuner.async_reduction().in_rounds() && tuner.async_reduction().go_on();
    if (tuner.trials().exchange_due() && !in_rounds && !tuner.async_reduction().under_way() &&
        tuner.own().has_route()) {
        tuner.async_reduction().send(tuner.trials().freeze(), tuner.own().route());
        tuner.pending().tell_in(1);
    }
    if (in_rounds || tuner.async_reduction().under_way() || tuner.async_broadcast().under_way() ||
        tuner.pending().wants())
        tuner.pending().stay_open();
}

}  // namespace echelon
