// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

namespace echelon {

/// Where the time of one message goes. Every network model is reduced to these times before a replay, so that
/// the simulator knows one kind of message only.
///
/// A circuit starts when both ends are posted and both ports are free, and holds both ports from `start` to
/// the end of `transfer`; both sides know of its end `latency` later. One that `shares` its ports starts
/// beside others, and takes the longer for them (flows.hpp). Any other message leaves as soon as its send is
/// posted and the sender's port is free:
///
///     sender's processor   |send_overhead|
///     sender's port                      |start|transfer|gap|
///     on the way                                        |latency|
///     receiver's port                         ........... drain |
///     receiver's processor                                      |receive_overhead|
struct MessageCost {
    /// On the sender's processor, before the message may leave.
    Seconds send_overhead = 0;
    /// On the port, before the first byte.
    Seconds start = 0;
    /// From the first to the last byte, where no network card is shared.
    Seconds transfer = 0;
    /// On the sender's port, after the last byte.
    Seconds gap = 0;
    /// From the last byte's departure to its arrival; ports are free meanwhile.
    Seconds latency = 0;
    /// Least time between the ends of two messages at the receiver's port.
    Seconds drain = 0;
    /// On the receiver's processor, when it waits for the message.
    Seconds receive_overhead = 0;
    bool circuit = false;
    /// A circuit that is carried side by side with others: alone it takes this share of what its ports carry. 0: of
    /// their own kind they carry any number; below 0: it has its ports to itself.
    double port_share = -1;
    bool shares() const { return port_share >= 0; }
    /// So many share a port; further ones wait.
    static constexpr std::size_t most_side_by_side = 16;
    /// The sender's elements are free as soon as the message is posted, not when the last byte has left.
    bool buffered = false;
};

}  // namespace echelon
