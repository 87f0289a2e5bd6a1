// SPDX-License-Identifier: Apache-2.0
#include "bench/race.hpp"

#include <algorithm>
#include <cmath>

namespace echelon::bench {
namespace {

constexpr int fewest_rounds = 3;

#ifdef ECHELON_SMPI
constexpr double long_enough = 0;  // virtual time is exact
#else
constexpr double long_enough = 50e-6;
#endif
constexpr int most_calls = 1000;

}  // namespace

bool Race::checked_call(Contender& contender) {
    workload_.reset();
    (void)contender.call(workload_);
    return workload_.correct();
}

std::optional<std::string> Race::enter(Contender& contender, const Effort& effort) {
    if (auto reason = contender.first_call(cell_, workload_)) return reason;
    const bool correct = !effort.check || checked_call(contender);
    for (int i = 0; i < effort.warm_up; ++i) (void)contender.call(workload_);
    runners_.push_back({&contender, calls_in_a_row(contender), correct});
    return std::nullopt;
}

int Race::calls_in_a_row(Contender& contender) {
    // Only where no rank can run ahead: behind an allreduce every rank has heard of all. The root of a bcast
    // would send one after the other, and the time of a call would be the time between two.
    if (cell_.collective != Collective::allreduce || long_enough == 0) return 1;
    double once = one_repetition(contender, 1);
    for (int again = 0; again < 2 && once < 100 * long_enough; ++again)
        once = std::min(once, one_repetition(contender, 1));
    return int(std::clamp(std::ceil(long_enough / once), 1.0, double(most_calls)));
}

double Race::one_repetition(Contender& contender, int calls) {
    return start_.time([&] {
        for (int i = 0; i < calls; ++i) (void)contender.call(workload_);
    }) / calls;
}

bool Race::in_time(const Effort& effort) const {
    int go_on = effort.deadline == 0 || now() < effort.deadline ? 1 : 0;
    MPI_Bcast(&go_on, 1, MPI_INT, 0, control_);
    return go_on != 0;
}

std::vector<Time> Race::run(const Effort& effort) {
    for (int round = 0; round < effort.repetitions; ++round) {
        if (round >= fewest_rounds && !in_time(effort)) break;
        for (std::size_t i = 0; i < runners_.size(); ++i) {
            Runner& runner = runners_[(i + std::size_t(round)) % runners_.size()];
            runner.contender->take_stage(cell_, workload_);
            runner.samples.push_back(one_repetition(*runner.contender, runner.calls));
        }
    }
    std::vector<Time> times;
    for (Runner& runner : runners_) {
        if (effort.check) {
            runner.contender->take_stage(cell_, workload_);
            runner.correct = checked_call(*runner.contender) && runner.correct;
        }
        times.push_back(
            {median_interval(runner.samples), runner.samples.size(), runner.calls, runner.correct});
    }
    return times;
}

}  // namespace echelon::bench
