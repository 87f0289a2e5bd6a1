// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cluster/shape.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace echelon::cluster {

/// One Ethernet frame, or several of one connection that the kernel hands over together.
struct Frame {
    /// Bytes in the kernel's format.
    std::vector<unsigned char> data;
    /// Bytes that occupy the wire, including gaps and headers of each frame.
    std::size_t bytes_on_wire = 0;

    /// The members below belong to the fabric.
    /// Times at which the first frame and the last bit reach the present place.
    Nanoseconds head = 0, tail = 0;
    int to = 0;
    std::size_t hop = 0, hops = 0;
    std::array<int, 4> links{};
    std::uint64_t number = 0;
};

/// The network of a cluster in virtual time: a frame that is sent comes out after the delay of the shape.
/// Each node has an up link and a down link, and each rack too. A link is a queue (first in, first out) of
/// unlimited length that loses nothing. It forwards the first frame of many while the others still arrive.
///
/// It has no clock and no devices: it is tested in one process, and `wire` moves real frames by it.
class Fabric {
public:
    explicit Fabric(const Shape& shape);

    /// Node `from` hands `frame` to its card at `now`.
    void send(int from, int to, std::unique_ptr<Frame> frame, Nanoseconds now);

    /// Time at which the next frame moves on; no value if no frame is under way.
    std::optional<Nanoseconds> next() const;

    /// The next frame that has arrived by `now`, in the order of arrival; null if there is none. `tail` is
    /// its time.
    std::unique_ptr<Frame> arrived(Nanoseconds now);

private:
    struct Link {
        double nanoseconds_per_byte = 0;
        Nanoseconds latency = 0;
        /// Time at which all that it has accepted is sent.
        Nanoseconds busy_until = 0;
    };

    void pass(Frame& frame);
    void put(std::unique_ptr<Frame> frame);

    Shape shape_;
    /// Up and down link of each node, then of each rack.
    std::vector<Link> links_;
    /// A heap, earliest head first.
    std::vector<std::unique_ptr<Frame>> moving_;
    std::uint64_t sent_ = 0;
};

}  // namespace echelon::cluster
