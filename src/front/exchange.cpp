// SPDX-License-Identifier: Apache-2.0
#include "front/exchange.hpp"

#include "mpi/clock.hpp"

#include <optional>

namespace echelon {

/// Keeps what was found of these, and forgets the plans of their calls.
void take_findings(State& state, const std::vector<CallClass>& found) {
    Contests& contests = state.contests();
    if (state.rank() == 0 && state.own().knows_placement(true, false)) {
        const std::string layout = state.machine().layout();
        for (const CallClass& calls : found)
            state.process().learned().add(learned(calls, *contests.finding(calls), state.size(), layout));
    }
    for (const CallClass& calls : found)
        state.plans().erase_if([&](const auto& plan) {
            return state.classes().of(plan.first) == calls &&
                   (plan.first.variant == Variant{} || contests.find(calls) == nullptr);
        });
}

namespace {

void exchange_at_once(State& state) {
    const auto least = [&](std::vector<double>& numbers) {
        state.meetings().hold(numbers.size());
        check(PMPI_Allreduce(MPI_IN_PLACE, numbers.data(), int(numbers.size()), MPI_DOUBLE, MPI_MIN,
                             state.user()),
              "MPI_Allreduce");
    };
    state.letters().give_up();
    take_findings(state, state.contests().settle(least));
}

/// One step of it. True: it was the last.
bool exchange_in_rounds(State& state) {
    Contests& contests = state.contests();
    Letters& letters = state.letters();
    const Route& route = state.own().route();
    const Seconds began = now();
    std::optional<std::vector<double>> least;
    if (!letters.in_rounds()) {
        letters.begin_rounds(contests.freeze_with_roots(), route);
    } else if (least = letters.next_round(); least && contests.awaits_roots()) {
        letters.begin_rounds(contests.go_on(*least), route);
        least.reset();
    }
    if (least) take_findings(state, contests.take_in(*least));
    contests.was_busy(now() - began);
    return least.has_value();
}

}  // namespace

bool exchange_times(State& state) {
    if (!state.letters().in_rounds() && !state.contests().settlement_due()) return false;
    const bool can_go_on = state.contests().knows_clock() && state.own().has_route();
    if (can_go_on && !state.contests().afford_to_stop()) return exchange_in_rounds(state);
    exchange_at_once(state);
    return true;
}

}  // namespace echelon
