// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/hockney.hpp"

namespace echelon {

/// A message as MPI libraries carry it. Latencies of messages overlap: a port is held for the bytes alone,
/// and the processors on both sides for `overhead`. Short messages are eager, a send does not wait for its
/// receive; long ones wait for it (rendezvous), and share ports with those that are under way beside them.
struct Protocol {
    /// One way from end to end, overheads included: latency and time a byte by length.
    PiecewiseHockney one_way = {{{}}};
    /// Of the processor, for a send and again for a receive (the o of LogP).
    Seconds overhead = 0;
    /// Messages of so many bytes and more wait for their receive.
    Bytes rendezvous_from = Bytes(16) << 10;
    /// Of the time of a long message's bytes, the share for which they hold its ports: less than 1 where one message does
    /// not use all that a rank can send. Of shorter ones that are carried side by side ports carry as many bytes a second,
    /// however slow one of them is alone.
    double held = 1;
    static constexpr Bytes long_one = Bytes(32) << 10;

    Seconds time(double bytes) const { return one_way.time(bytes); }
    MessageCost message(Bytes bytes) const;

    friend bool operator==(const Protocol&, const Protocol&) = default;
};

}  // namespace echelon
