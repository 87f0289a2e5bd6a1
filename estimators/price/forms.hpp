// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/recipe_time.hpp"

#include <algorithm>

namespace echelon {

/// What recipes take by the closed forms of the papers: the sum of their phases, each as many messages as its cost has steps, one
/// after the other. Forms know neither what overlaps nor which links messages share; the replay does. Not for several threads.
class Forms {
public:
    /// Of a message: one line through a short and a long one, or its time by length (LogGP's and the postal model's forms of
    /// whole messages are that line again).
    enum class Model : std::uint8_t { hockney, plogp };

    /// The machine is `seated` where the contention's ranks are; the contention and `natives` must outlive this.
    Forms(Machine machine, const Contention& contention, Model model, const NativeTimes* natives)
        : machine_(model == Model::hockney ? in_lines(std::move(machine)) : std::move(machine)),
          times_(machine_, contention, natives, Detail::formula) {}
    Forms(const Forms&) = delete;

    RecipeTimes& times() { return times_; }

    /// The machine with one line for each of its networks.
    static Machine in_lines(Machine machine) {
        machine.inside = line(machine.inside);
        machine.between = line(machine.between);
        for (Beyond& level : machine.beyond) level.network = line(level.network);
        return machine;
    }

private:
    static Hockney line(const Network& network) {
        constexpr double long_one = 1 << 20;
        const Seconds alpha = message_time(network, 1);
        return {alpha, std::max(0.0, (message_time(network, long_one) - alpha) / long_one)};
    }

    Machine machine_;
    RecipeTimes times_;
};

}  // namespace echelon
