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

/// Number of native calls that pay for a question to rank 0.
long calls_before_question(Tuner& tuner, const PlanKey& key) {
    const bool memory = tuner.own().may_share_memory();
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
    const bool may_be_known =
        tuner.machine().knows(key) ||
        (!tuner.settings().learn.empty() && !tuner.own().may_share_memory() && !key.own_lengths());
    return may_be_known && !tuner.table().has_told() ? 0 : calls_before_question(tuner, key);
}

Seconds time_to_decide(Tuner& tuner, const CallState& calls) {
    const PlanKey& key = calls.key;
    const Allowance& allowance = tuner.shared().allowance();
    const bool calibrated = tuner.machine().knows(key);
    // With findings there is less to decide and more to gain.
    if (!findings_for(tuner, key).empty() || (!calibrated && calls.counted == 0)) return unlimited;
    // All decisions since the first call count: classes that are called in turn share the time.
    const Seconds paid =
        (now() - calls.since) / double(rules.decide_part) - (allowance.spent() - calls.decided);
    if (!calibrated || calls.begun) return paid;
    const Seconds known = tuner.machine().advisor()->decider().native(key.collective, key.bytes()),
                  one = known > 0 ? known : seconds(default_costs_here(tuner).call(key.bytes()));
    return std::max({paid, rules.unnoticed_calls * one, std::min(rules.usual_calls * one, allowance.left())});
}

Seconds time_to_decide_early(Tuner& tuner, const PlanKey& key) {
    constexpr double half = 0.5;  // percent; the other half is for calls that are made
    const Seconds price = price_of_decision(tuner, key);
    if (price == 0 || !findings_for(tuner, key).empty()) return unlimited;
    const Seconds left = tuner.shared().allowance().left(half);
    return price <= left ? left : 0;
}

long further_native_calls(Tuner& tuner, const CallState& calls) {
    const Seconds price = (calls.begun ? rules.rest_of_decision : 1) * price_of_decision(tuner, calls.key),
                  most = time_to_decide(tuner, calls);
    if (price <= most) return 0;
    const Seconds spent = std::max(now() - calls.since, 1e-9);
    const double more =
        std::min(rules.surely * double(rules.decide_part) * (price - most) / spent, rules.farthest);
    return long(std::ceil(double(std::max(calls.made(), 1L)) * more));
}

}  // namespace echelon
