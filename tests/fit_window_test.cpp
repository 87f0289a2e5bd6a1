// SPDX-License-Identifier: Apache-2.0
// The fit recovers the parameters of shared memory from replayed times.
#include "estimators/fit/fit_window.hpp"

#include "estimators/price/predictor.hpp"
#include "groups/layout.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

const Machine messages = uniform_machine(Hockney{1e-6, 1e-9}, 1e-10);

WindowSamples replayed(Machine machine, const SharedMemory& window, const Placement& node) {
    machine.window = window;
    Predictor predictor(machine, node);
    const Recipe shm = Recipe::parse("shm");
    return {.sum = predictor.whole(shm, Collective::allreduce, WindowSamples::sum_bytes, {})->seconds,
            .bcast = predictor.whole(shm, Collective::bcast, WindowSamples::bcast_bytes, {})->seconds};
}

TEST(FitWindow, finds_the_memory_again) {
    Machine crowded = messages;  // a machine on which fewer active ranks are faster
    crowded.at_work = {{1, 1e-10, 1e-10}, {2, 1.5e-10, 1e-10}, {16, 8e-10, 2e-10}};
    for (const Machine& machine : {messages, crowded})
        for (const char* const layout : {"1x2", "1x3", "1x16"})
            for (const SharedMemory truth : {SharedMemory{60e-9, 0.1e-9}, {2e-6, 0.05e-9}, {100e-9, 2e-9}}) {
                const Placement node = placement_of_layout(layout);
                const auto found = fit_window(machine, node, replayed(machine, truth, node));
                EXPECT_NEAR(found.hand_over, truth.hand_over, 0.02 * truth.hand_over) << layout;
                EXPECT_NEAR(found.copy, truth.copy, 0.02 * truth.copy) << layout;
            }
}

TEST(FitWindow, copies_no_faster_than_the_machine) {
    Machine machine = messages;
    machine.copy = 5e-11;
    // A disturbed short call takes longer than the long one.
    const auto found = fit_window(machine, placement_of_layout("1x4"), {.sum = 1e-3, .bcast = 1e-4});
    EXPECT_EQ(found.copy, machine.copy);
    EXPECT_NEAR(found.hand_over, 1e-3, 1e-5);
}

}  // namespace
}  // namespace echelon
