// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/fit_window.hpp"

#include "estimators/price/predictor.hpp"

#include <algorithm>

namespace echelon {

SharedMemory fit_window(const Machine& machine, const Placement& node, const WindowSamples& samples) {
    const auto replayed = [&](const SharedMemory& window, Collective collective, Bytes bytes) {
        Machine with = machine;
        with.window = window;
        const Recipe shm{.kind = Recipe::Kind::flat, .name = "shm"};
        return Predictor(with, node).whole(shm, collective, bytes, {})->seconds;
    };
    SharedMemory found{samples.sum, machine.copy};
    // Bisects between `least` and a value that explains the whole measured time: times grow with either
    // parameter.
    const auto solve = [](auto&& excess, double least, double most) {
        if (excess(least) >= 0) return least;
        if (excess(most) <= 0) return most;
        constexpr int steps = 20;
        for (int step = 0; step < steps; ++step) {
            const double middle = (least + most) / 2;
            (excess(middle) < 0 ? least : most) = middle;
        }
        return most;
    };
    // The rank that copies alone may be faster per byte than all ranks at work, to which `copy` refers.
    const SecondsPerByte most_copy =
        samples.bcast / double(samples.bcast_bytes) / share_of_crowd(machine.at_work, &WorkAtOnce::copy, 1);
    constexpr int turns = 4;  // the parameters hardly depend on each other
    for (int turn = 0; turn < turns; ++turn) {
        found.copy = solve(
            [&](double copy) {
                return replayed({found.hand_over, copy}, Collective::bcast, samples.bcast_bytes) -
                       samples.bcast;
            },
            machine.copy, std::max(machine.copy, most_copy));
        found.hand_over = solve(
            [&](double hand_over) {
                return replayed({hand_over, found.copy}, Collective::allreduce, samples.sum_bytes) -
                       samples.sum;
            },
            0, samples.sum);
    }
    return found;
}

}  // namespace echelon
