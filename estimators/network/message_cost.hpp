// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

namespace echelon {

/// Parts of the time of one message. Every network model is reduced to these before a replay: the simulator
/// knows a single kind of message.
///
/// A circuit starts when both ends are posted and both ports are free. It occupies both ports from `start` to
/// the end of `transfer`; both sides learn of its end `latency` later. A circuit that `shares` its ports
/// starts beside others and takes longer because of them (flows.hpp). Any other message leaves as soon as its
/// send is posted and the sender's port is free:
///
///     sender's processor   |send_overhead|
///     sender's port                      |start|transfer|gap|
///     on the way                                        |latency|
///     receiver's port                         ........... drain |
///     receiver's processor                                      |receive_overhead|
struct MessageCost {
    /// On the sender's processor, before the message may leave: of a nonblocking send, and of a blocking one.
    Seconds send_overhead = 0, blocking_overhead = send_overhead;
    /// On the port, before the first byte.
    Seconds start = 0;
    /// From the first to the last byte, if no network card is shared.
    Seconds transfer = 0;
    /// On the sender's port, after the last byte.
    Seconds gap = 0;
    /// From the departure of the last byte to its arrival; the ports are free in this time.
    Seconds latency = 0;
    /// Least time between the ends of two messages at the receiver's port.
    Seconds drain = 0;
    /// On the receiver's processor, when it waits for the message.
    Seconds receive_overhead = 0;
    bool circuit = false;
    /// Share of its ports' capacity that a circuit uses alone, if it is carried side by side with others. 0:
    /// ports carry any number of them. Below 0: the circuit has its ports to itself.
    double port_share = -1;
    bool shares() const { return port_share >= 0; }
    /// Most circuits that share a port; further ones wait.
    static constexpr std::size_t most_side_by_side = 16;
    /// The sender may reuse its elements as soon as the message is posted, before the last byte has left. A
    /// buffered circuit has left the sender's processor, but travels only once its receive is posted.
    bool buffered = false;

    Seconds overhead(bool blocking) const { return blocking ? blocking_overhead : send_overhead; }
};

}  // namespace echelon
