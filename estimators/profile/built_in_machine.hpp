// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace echelon {

/// Cost of a message between nodes if none was measured.
constexpr Hockney usual_link{.alpha = 5e-6, .beta = 1 / 2e9};

/// Default costs of an unknown machine: nodes of shared memory with one network card each, and sites far from
/// each other. The best recipe depends far more on the placement of ranks, and on the message length at which
/// bytes and latency cost the same, than on the other numbers (docs/models.md). `between`: cost of a message
/// between nodes. Every message waits for its receive: a recipe that is fast then is also fast with eager
/// messages, within 2 %. The opposite assumption may cost a factor of eight. `window`: ranks of a node share
/// memory, and have a processor each.
inline Machine built_in_machine(bool window = false, const Hockney& between = usual_link) {
    const auto protocol = [](Seconds latency, SecondsPerByte byte, Seconds overhead) {
        return Protocol{.one_way = {{{0, {latency, byte}}}},
                        .send_overhead = Table::constant(overhead),
                        .receive_overhead = Table::constant(overhead),
                        .rendezvous_from = 0};
    };
    const auto& [latency, byte, eager] = between;
    const BytesPerSecond card = 1 / byte;
    // On an Omni-Path network of 12.9 us, a send takes the processor 0.73 us (SimGrid's tutorial of network
    // calibration). A receive takes 1.44 us there, but proposals with that are not better and take longer.
    const Seconds inside = std::min(1e-6, latency / 2), overhead = 0.06 * latency;
    constexpr double much_farther = 5;
    const Seconds far = std::max(100e-6, much_farther * latency);
    return {
        .inside = protocol(inside, std::min(1 / 5e9, byte / 2), std::min(overhead, 0.3 * inside)),
        .between = protocol(latency, byte, overhead),
        .card = card,
        .gamma = 1 / 5e9,
        .copy = 1 / 1e10,
        .window = window ? std::optional(SharedMemory{.hand_over = 0.2e-6, .copy = 1 / 1e10}) : std::nullopt,
        .beyond = {{.network = protocol(far, byte, overhead), .uplink = card}}};
}

/// Profile with default costs and no samples, used before anything is measured.
inline std::shared_ptr<const Profile> built_in_profile(bool window = false,
                                                       const Hockney& between = usual_link) {
    return std::make_shared<const Profile>(
        Profile{.parameters = Parameters{.machine = built_in_machine(window, between)}});
}

}  // namespace echelon
