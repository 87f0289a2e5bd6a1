// SPDX-License-Identifier: Apache-2.0
#include "tuner/exchange_timings.hpp"

#include "mpi/clock.hpp"

#include <optional>

namespace echelon {

namespace {

void exchange_at_once(Tuner& tuner) {
    const auto least = [&](std::vector<double>& numbers) {
        tuner.state().meetings().hold(numbers.size());
        check(PMPI_Allreduce(MPI_IN_PLACE, numbers.data(), int(numbers.size()), MPI_DOUBLE, MPI_MIN,
                             tuner.user()),
              "MPI_Allreduce");
    };
    tuner.async_reduction().give_up();
    tuner.take_findings(tuner.trials().exchange(least));
}

/// One step of the exchange.
void exchange_in_rounds(Tuner& tuner) {
    Trials& trials = tuner.trials();
    AsyncReduction& reduction = tuner.async_reduction();
    const Route& route = tuner.own().route();
    const Seconds began = now();
    std::optional<std::vector<double>> least;
    if (!reduction.in_rounds()) {
        reduction.begin_rounds(trials.freeze_with_roots(), route);
    } else if (least = reduction.next_round(); least && trials.awaits_roots()) {
        reduction.begin_rounds(trials.go_on(*least), route);
        least.reset();
    }
    if (least) tuner.take_findings(trials.take_in(*least));
    trials.was_busy(now() - began);
}

}  // namespace

void exchange_timings(Tuner& tuner) {
    if (!tuner.async_reduction().in_rounds() && !tuner.trials().exchange_due()) return;
    const bool can_go_on = tuner.trials().knows_clock() && tuner.own().has_route();
    if (can_go_on && !tuner.trials().afford_to_stop())
        exchange_in_rounds(tuner);
    else
        exchange_at_once(tuner);
}

}  // namespace echelon
