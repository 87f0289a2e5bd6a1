// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/hockney.hpp"
#include "estimators/network/table.hpp"

namespace echelon {

/// A message like MPI libraries carry it. Latencies of messages overlap: bytes alone occupy a port, and the
/// overheads occupy the processors on both sides. Short messages are eager: a send does not wait for its
/// receive. Long messages wait for their receive (rendezvous), and share their ports with other messages.
struct Protocol {
    /// One-way time from end to end, overheads included: latency and time per byte by length.
    PiecewiseHockney one_way = {{{}}};
    /// Processor time of a send and of a receive, by length in bytes (o_s and o_r of PLogP). The receive of a
    /// message that waits for it costs as much as that of the shortest message.
    Table send_overhead = {}, receive_overhead = {};
    /// Messages of at least this length wait for their receive, and their senders with them.
    Bytes rendezvous_from = Bytes(16) << 10;
    /// Share of the transfer time of a long message in which it occupies its ports; less than 1 if a single
    /// message does not use all that a rank can send. Ports carry shorter messages side by side at the same
    /// total rate, however slow one of them is alone.
    double held = 1;
    /// Messages of at least this length travel only once their receive is posted; below `rendezvous_from`
    /// their senders do not wait for that.
    Bytes matched_from = ~Bytes(0);
    /// Processor time of a blocking send, up to the table's last length. Longer ones, and all if it is empty,
    /// cost as much as nonblocking ones.
    Table blocking_overhead = {};
    static constexpr Bytes long_one = Bytes(128) << 10;

    /// One-way time of a message that is sent by a blocking send.
    Seconds time(double bytes) const { return one_way.time(bytes); }
    Seconds sending(double bytes, bool blocking) const;
    Seconds receiving(double bytes) const;
    MessageCost message(Bytes bytes) const;

    friend bool operator==(const Protocol&, const Protocol&) = default;
};

}  // namespace echelon
