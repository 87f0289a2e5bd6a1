// SPDX-License-Identifier: Apache-2.0
#include "tuner/when_to_decide.hpp"

#include "mpi/clock.hpp"
#include "mpi/quirks.hpp"
#include "tuner/arms.hpp"
#include "tuner/requests.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {
namespace {

/// Time of a decision; 0 if it is negligible.
Seconds price_of_decision(Tuner& tuner, const PlanKey& key) {
    const DefaultCosts costs = default_costs_here(tuner);
    Advisor* const advisor = tuner.machine().advisor(key);
    if (advisor == nullptr) return seconds(costs.decision(pattern(key.collective), key.bytes()));
    const Decider::Ground known = advisor->ground(key.collective, key.bytes(), key.call().operation);
    if (known == Decider::Ground::decided || !thinking_takes_time()) return 0;
    return seconds(known == Decider::Ground::measured
                       ? costs.decision_among_measured()
                       : costs.wide_decision(pattern(key.collective), key.bytes()));
}

}  // namespace

long native_calls_first(Tuner& tuner, const PlanKey& key) {
    const bool memory = tuner.own().may_share_memory();
    const bool may_be_known =
        tuner.machine().knows(key) || (!tuner.settings().learn.empty() && !memory && !key.own_lengths());
    if (may_be_known && !tuner.table().has_told()) return 0;
    // Calls that do not synchronise follow each other faster than one of them takes.
    const bool synchronises = key.synchronises(tuner.size());
    const JobMap* const job_map = tuner.process().world().job_map();
    const DefaultCosts costs(tuner.size(), memory, step_here(tuner) / (synchronises ? 1 : 2),
                             job_map == nullptr ? 0 : job_map->byte());
    // A message before calls from the root does not delay them by its latency.
    const bool in_passing =
        !memory && (!synchronises || tuner.process().world().for_handouts(tuner.user()) != MPI_COMM_NULL);
    return in_passing
               ? calls_before_decision_in_passing(costs, key.bytes(), quirks::nonblocking_bcasts_go_to_each)
               : calls_before_decision(costs, key.bytes());
}

bool may_decide_early(Tuner& tuner, const PlanKey& key) {
    constexpr double half = 0.5;  // percent; the other half is for calls that are made
    const Seconds price = price_of_decision(tuner, key);
    return price == 0 || !findings_for(tuner, key).empty() || tuner.shared().allowance().covers(price, half);
}

long further_native_calls(Tuner& tuner, const CallState& calls) {
    const PlanKey& key = calls.key;
    if (!findings_for(tuner, key).empty()) return 0;  // there is less to decide and more to gain
    const Seconds price = price_of_decision(tuner, key);
    const bool calibrated = tuner.machine().knows(key);
    const Seconds known =
        calibrated ? tuner.machine().advisor()->decider().native(key.collective, key.bytes()) : 0;
    const DefaultCosts costs = default_costs_here(tuner);
    const Seconds one = known > 0 ? known : seconds(costs.call(key.bytes()));
    if (calibrated && (price <= rules.unnoticed_calls * one ||
                       (price <= rules.usual_calls * one && tuner.shared().allowance().covers(price))))
        return 0;
    if (!calibrated && calls.counted == 0) return 0;
    const double made = double(std::max(calls.made(), 1L));
    // Without a profile all time since the first call counts: classes that are called in turn share it.
    const Seconds others = calibrated ? 0 : tuner.shared().allowance().spent() - calls.decided;
    const Seconds needed = double(rules.decide_part) * (price + others);
    const Seconds spent = calibrated ? made * one : std::max(now() - calls.since, 1e-9);
    if (spent >= needed) return 0;
    // A tenth too many, because each question costs.
    constexpr double most = 64, surely = 1.1;
    const double more = std::min(surely * needed / std::max(spent, one) - 1, most);
    return long(std::ceil(made * more));
}

}  // namespace echelon
