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
    /// As the kernel wrote it.
    std::vector<unsigned char> data;
    /// All that occupies the wire, gaps and headers of each frame included.
    std::size_t bytes_on_wire = 0;

    /// Below: the fabric's.
    /// When the first frame and the last bit have reached where it is now.
    Nanoseconds head = 0, tail = 0;
    int to = 0;
    std::size_t hop = 0, hops = 0;
    std::array<int, 4> links{};
    std::uint64_t number = 0;
};

/// The network of a cluster in virtual time: what is sent into it comes out when the shape says so. Each node
/// has a link up and one down, each rack too. A link holds what it cannot pass on, first in, first out, loses
/// nothing, and forwards the first frame of many while the others still arrive.
///
/// No clock, no devices: it is tested in one process, and `wire` moves real frames by it.
class Fabric {
public:
    explicit Fabric(const Shape& shape);

    /// Node `from` hands `frame` to its card at `now`.
    void send(int from, int to, std::unique_ptr<Frame> frame, Nanoseconds now);

    /// When the next frame moves on; nullopt: none is under way.
    std::optional<Nanoseconds> next() const;

    /// A frame that has arrived by `now`, in the order of arrival; null: none any more. `tail` says when.
    std::unique_ptr<Frame> arrived(Nanoseconds now);

private:
    struct Link {
        double nanoseconds_per_byte = 0;
        Nanoseconds latency = 0;
        /// It sends what it took up before until then.
        Nanoseconds busy_until = 0;
    };

    void pass(Frame& frame);
    void put(std::unique_ptr<Frame> frame);

    Shape shape_;
    /// Up and down of each node, then of each rack.
    std::vector<Link> links_;
    /// A heap, earliest head first.
    std::vector<std::unique_ptr<Frame>> moving_;
    std::uint64_t sent_ = 0;
};

}  // namespace echelon::cluster
