// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/recipe_time.hpp"

#include <algorithm>

namespace echelon {

/// Times of recipes by the closed forms of the papers: the sum of their phases. A phase takes the steps of
/// its cost as messages, one after the other. Forms ignore overlap and shared links; the replay does not. Not
/// thread-safe.
class Forms {
public:
    /// Time of a message: `hockney` draws one line through a short and a long message, `plogp` uses the
    /// network's time by length. (For whole messages, LogGP and the postal model reduce to that line.)
    enum class Model : std::uint8_t { hockney, plogp };

    /// Requires: the machine is `seated` on the contention's ranks; the contention and `natives` outlive this
    /// object.
    Forms(Machine machine, const Contention& contention, Model model, const NativeTimes* natives)
        : machine_(model == Model::hockney ? in_lines(std::move(machine)) : std::move(machine)),
          times_(machine_, contention, natives, Detail::formula) {}
    Forms(const Forms&) = delete;

    RecipeTimes& times() { return times_; }

    /// The machine with each of its networks replaced by one line.
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
