// SPDX-License-Identifier: Apache-2.0
#include "bench/race.hpp"

namespace echelon::bench {

bool Race::checked_call(Contender& contender) {
    workload_.reset();
    (void)contender.call(workload_);
    return workload_.correct();
}

std::optional<std::string> Race::enter(Contender& contender, const Care& care) {
    if (auto reason = contender.first_call(cell_, workload_)) return reason;
    const bool correct = !care.check || checked_call(contender);
    for (int i = 0; i < care.warm_up; ++i) (void)contender.call(workload_);
    runners_.push_back({&contender, correct});
    // An allreduce synchronizes all ranks.
    const bool in_a_row = cell_.collective == Collective::allreduce;
    turns_.add([this, &contender] { contender.take_stage(cell_, workload_); },
               [this, &contender] { (void)contender.call(workload_); }, in_a_row);
    return std::nullopt;
}

std::vector<Time> Race::run(const Care& care) {
    const std::vector<Timing> timings = turns_.run(care.effort);
    std::vector<Time> times;
    for (std::size_t i = 0; i < runners_.size(); ++i) {
        Runner& runner = runners_[i];
        if (care.check) {
            runner.contender->take_stage(cell_, workload_);
            runner.correct = checked_call(*runner.contender) && runner.correct;
        }
        times.push_back({timings[i], runner.correct});
    }
    return times;
}

}  // namespace echelon::bench
