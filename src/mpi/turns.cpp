// SPDX-License-Identifier: Apache-2.0
#include "mpi/turns.hpp"

#include "mpi/agree.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echelon {
namespace {

constexpr double long_enough = quirks::simulated ? 0 : 50e-6;
constexpr int most_calls = 1000;
constexpr double endless = std::numeric_limits<double>::infinity();

}  // namespace

double Timing::spread() const {
    return seconds.median > 0 ? (seconds.high - seconds.low) / 2 / seconds.median : 0;
}

void Turns::get_to_know(const Effort& effort) {
    constexpr int fewest = quirks::simulated ? 1 : 2, enough = quirks::simulated ? 1 : 3;
    std::vector<double> own;
    for (const Contender& one : contenders_) {
        double preparing = 0, working = endless;
        // The first call may be late or in cold caches; calls too short for the clock get a third one.
        for (int i = 0; i < fewest || (i < enough && one.in_a_row); ++i) {
            const double began = now();
            one.work.prepare();
            preparing = now() - began;
            // Without a barrier, ranks that wait for no other would run ahead.
            if (!one.in_a_row) check(PMPI_Barrier(control_), "MPI_Barrier");
            const double called = now();
            one.call();
            working = std::min(working, now() - called);
        }
        own.insert(own.end(), {preparing, working});
    }
    const std::vector<double> worst = start_.greatest(own);
    double best = endless;
    for (std::size_t i = 1; i < worst.size(); i += 2) best = std::min(best, worst[i]);
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
        Contender& one = contenders_[i];
        const double preparing = worst[2 * i], working = worst[2 * i + 1];
        // A contender that is hopeless already is not measured further.
        one.done = effort.hopeless > 0 && working > 2 * effort.hopeless * best;
        if (one.done) one.samples = {working};
        if (one.in_a_row && long_enough > 0)
            one.calls =
                int(std::clamp(std::ceil(long_enough / std::max(working, 1e-9)), 1.0, double(most_calls)));
        one.work.preparing = preparing;
        one.work.working = working * one.calls;
        one.work.work = [call = one.call, calls = one.calls] {
            for (int left = calls; left > 0; --left) call();
        };
    }
}

bool Turns::settle(const Effort& effort) {
    // All ranks hold the same samples and find the same.
    std::vector<Timing> timings;
    double best = endless;
    for (const Contender& contender : contenders_) {
        timings.push_back(contender.timing());
        best = std::min(best, timings.back().seconds.high);
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

int Turns::rounds_at_once(int before, const Effort& effort) const {
    const bool enough = before >= effort.fewest;
    const int wanted =
        std::min(enough ? std::max(before / 2, 1) : effort.fewest - before, effort.rounds - before);
    if (!enough || effort.deadline == 0) return wanted;
    double one = 0;
    for (const Contender& contender : contenders_)
        if (!contender.done) one += start_.window(contender.work);
    return number_of_rank_0(int(std::clamp((effort.deadline - now()) / one, 0.0, double(wanted))), control_);
}

void Turns::go_round(int before, int rounds) {
    std::vector<Contender*> order;
    for (int round = before; round < before + rounds; ++round)
        for (std::size_t i = 0; i < contenders_.size(); ++i)
            if (Contender& one = contenders_[(i + std::size_t(round)) % contenders_.size()]; !one.done)
                order.push_back(&one);
    for (int attempt = 1; !order.empty(); ++attempt) {
        std::vector<CommonStart::Work> all;
        for (const Contender* const one : order) all.push_back(one->work);
        const std::vector<CommonStart::Lap> laps = start_.series(all);
        std::vector<Contender*> late;
        for (std::size_t i = 0; i < order.size(); ++i) {
            Contender& one = *order[i];
            if (!laps[i].counts && attempt < start_.attempts()) {
                late.push_back(&one);
                continue;
            }
            one.samples.push_back(laps[i].seconds / one.calls);
            one.work.preparing = laps[i].preparing;
            one.work.working = one.calls * median(one.samples);
        }
        order = std::move(late);
    }
}

std::vector<Timing> Turns::run(const Effort& effort) {
    if (contenders_.empty()) return {};
    get_to_know(effort);
    for (int round = 0; round < effort.rounds;) {
        if (round >= effort.fewest && settle(effort)) break;
        const int more = rounds_at_once(round, effort);
        if (more == 0) break;
        go_round(round, more);
        round += more;
    }
    std::vector<Timing> timings;
    for (const Contender& contender : contenders_) timings.push_back(contender.timing());
    return timings;
}

}  // namespace echelon
