// SPDX-License-Identifier: Apache-2.0
#include "mpi/turns.hpp"

#include "mpi/agree.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {
namespace {

constexpr double long_enough = quirks::simulated ? 0 : 50e-6;
constexpr int most_calls = 1000;

}  // namespace

double Timing::spread() const {
    return seconds.median > 0 ? (seconds.high - seconds.low) / 2 / seconds.median : 0;
}

void Turns::add(std::function<void()> prepare, std::function<void()> call, bool in_a_row, double once) {
    contenders_.push_back({.prepare = std::move(prepare), .call = std::move(call), .calls = 1});
    if (in_a_row) contenders_.back().calls = calls_in_a_row(contenders_.back(), once);
}

int Turns::calls_in_a_row(Contender& contender, double once) {
    if (long_enough == 0) return 1;
    if (once == 0) {
        once = one_repetition(contender);
        for (int again = 0; again < 2 && once < 100 * long_enough; ++again)
            once = std::min(once, one_repetition(contender));
    }
    return int(std::clamp(std::ceil(long_enough / once), 1.0, double(most_calls)));
}

double Turns::one_repetition(Contender& contender) {
    contender.prepare();
    return start_.time([&] {
        for (int i = 0; i < contender.calls; ++i) contender.call();
    }) / contender.calls;
}

bool Turns::in_time(const Effort& effort) const {
    return effort.deadline == 0 || as_rank_0_says(now() < effort.deadline, control_);
}

bool Turns::settle(const Effort& effort) {
    // All ranks hold the same samples, so that they find the same.
    std::vector<Timing> timings;
    double best = 0;
    for (const Contender& contender : contenders_) {
        timings.push_back(contender.timing());
        const double high = timings.back().seconds.high;
        best = best == 0 ? high : std::min(best, high);
    }
    bool all = true;
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
        if (effort.precision > 0 && timings[i].spread() <= effort.precision) contenders_[i].done = true;
        if (effort.hopeless > 0 && timings[i].seconds.low > effort.hopeless * best)
            contenders_[i].done = true;
        all = all && contenders_[i].done;
    }
    return all;
}

std::vector<Timing> Turns::run(const Effort& effort) {
    for (int round = 0; round < effort.rounds; ++round) {
        if (round >= effort.fewest && (settle(effort) || !in_time(effort))) break;
        for (std::size_t i = 0; i < contenders_.size(); ++i) {
            Contender& contender = contenders_[(i + std::size_t(round)) % contenders_.size()];
            if (!contender.done) contender.samples.push_back(one_repetition(contender));
        }
    }
    std::vector<Timing> timings;
    for (const Contender& contender : contenders_) timings.push_back(contender.timing());
    return timings;
}

}  // namespace echelon
