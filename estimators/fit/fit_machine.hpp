// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/fit/fit.hpp"
#include "estimators/profile/profile.hpp"

namespace echelon {

/// What a calibration measures of a machine: messages inside a node and between nodes, alone and several at
/// once, and the processor's work. Lists are empty where there is nothing to measure: one node, one rank a
/// node.
struct MachineSamples {
    std::vector<MessageSample> inside = {}, between = {};
    /// Between nodes of different switches of a site, or of different sites; then `between` are those of one switch. `uplink`: several
    /// pairs at once, between the same two.
    struct Beyond {
        Level level = Level::site;
        std::vector<MessageSample> messages = {};
        std::vector<ConcurrentSample> uplink = {};
    };
    std::vector<Beyond> beyond = {};  // the nearest first
    /// In a torus between the farthest.
    std::vector<MessageSample> farthest = {};
    /// Several pairs at once: between two nodes, and inside of one.
    std::vector<ConcurrentSample> card = {}, memory = {};
    /// One rank to several at once (`peers`; 1 too): inside a node, and to different nodes.
    std::vector<MessageSample> inside_fan = {}, between_fan = {};
    /// One rank receives from several, one after the other (`peers`: 1 and 2), who send at once.
    std::vector<MessageSample> inside_turns = {}, between_turns = {};
    /// Of all ranks at once.
    std::vector<WorkSample> combining = {}, copying = {};
    /// So many bytes, of so many ranks of each node at once.
    struct AtOnce {
        Bytes bytes = 0;
        int ranks = 1;
        Seconds combining = 0, copying = 0;
    };
    std::vector<AtOnce> at_once = {};
    /// In a torus so many links are between the nodes of `between` and of `farthest`; 0: there is none.
    int hops = 0, most_hops = 0;
};

/// The machine that the samples show. Where there are no messages inside (between), those between (inside)
/// stand for them, and the parameters say so. Error: no messages at all, or too few to tell parameters apart.
Parameters fit_machine(const MachineSamples& samples);

/// What was found, and of messages that there were none of this time what is known from `before`.
Parameters with_known(Parameters found, const std::optional<Parameters>& before);

}  // namespace echelon
