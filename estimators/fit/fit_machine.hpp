// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/fit/fit.hpp"
#include "estimators/profile/profile.hpp"

namespace echelon {

/// Measurements of a calibration: messages inside a node and between nodes, alone and several at once, and
/// the processor's work. A list is empty if there is nothing to measure: one node, or one rank per node.
struct MachineSamples {
    std::vector<MessageSample> inside = {}, between = {};
    /// Messages between nodes of different switches of a site, or of different sites; then `between` holds
    /// messages of one switch. `uplink`: several pairs at once between the same two switches or sites.
    struct Beyond {
        Level level = Level::site;
        std::vector<MessageSample> messages = {};
        std::vector<ConcurrentSample> uplink = {};
    };
    std::vector<Beyond> beyond = {};  // the nearest first
    /// Messages between the farthest nodes of a torus.
    std::vector<MessageSample> farthest = {};
    /// Several pairs at once: between two nodes, and inside one node.
    std::vector<ConcurrentSample> card = {}, memory = {};
    /// One rank sends to `peers` ranks at once (1 too): inside a node, and to different nodes.
    std::vector<MessageSample> inside_fan = {}, between_fan = {};
    /// One rank receives from `peers` ranks at once (1 too).
    std::vector<MessageSample> inside_fan_in = {}, between_fan_in = {};
    /// One rank receives one after the other from `peers` ranks (1 and 2) that send at once.
    std::vector<MessageSample> inside_turns = {}, between_turns = {};
    /// Duration of a send whose receive is posted four messages later.
    std::vector<MessageSample> inside_late = {}, between_late = {};
    /// Processor time of posting a send, of a blocking send (0: not measured), and of receiving a message
    /// that has come.
    struct Overheads {
        Bytes bytes = 0;
        Seconds send = 0, receive = 0, blocking_send = 0;
    };
    std::vector<Overheads> inside_overheads = {}, between_overheads = {};
    /// Work of all ranks at once.
    std::vector<WorkSample> combining = {}, copying = {};
    /// `ranks` ranks of each node work on `bytes` each at once.
    struct AtOnce {
        Bytes bytes = 0;
        int ranks = 1;
        Seconds combining = 0, copying = 0;
    };
    std::vector<AtOnce> at_once = {};
    /// Links between the nodes of `between` and of `farthest` in a torus; 0 without a torus.
    int hops = 0, most_hops = 0;
};

/// The machine that fits the samples. Without messages inside (between) nodes, messages between (inside)
/// nodes stand for them, and the parameters record this. Throws Error without any messages, or if they do not
/// determine the parameters.
Parameters fit_machine(const MachineSamples& samples);

/// `found`, completed from `before` for kinds of messages that were not measured this time.
Parameters with_known(Parameters found, const std::optional<Parameters>& before);

}  // namespace echelon
