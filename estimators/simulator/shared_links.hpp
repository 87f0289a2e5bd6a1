// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"

#include <cmath>
#include <vector>

namespace echelon {

/// Times of a replay stand on a grid of 2^-46 s (14 fs): sums of costs are exact (up to 128 s), whatever
/// their order, and what ought to happen at the same time does.
inline Seconds on_grid(Seconds time) {
    constexpr double lines_per_second = double(1ull << 46);
    return std::nearbyint(time * lines_per_second) / lines_per_second;
}

/// What ranks share: network cards and memories of the nodes, what leads into and out of a switch or a site, the links
/// of a torus.
/// Each carries the messages that come to it in the order in which they begin, at its rate; a message passes
/// both cards and what lies between them, or one memory, and is carried no faster than its own network does.
/// Messages that begin together end as if they had shared alike, but for the first ones, which end sooner.
class SharedLinks {
public:
    SharedLinks(const Machine& machine, int p);

    /// When the last byte has left the cards, of a message that begins now and takes `transfer` alone.
    Seconds carry(int from, int to, Bytes bytes, Seconds now, Seconds transfer);

    /// How many there are, and `use(i, share)` for each that a message passes, with the time that it takes there.
    std::size_t count() const { return free_.size(); }
    template <class Use>
    void pass(int from, int to, Bytes bytes, Use&& use) const {
        const auto a = std::size_t(machine_.node(from)), b = std::size_t(machine_.node(to));
        const auto through = [&](std::size_t i, BytesPerSecond rate) {
            if (rate != unlimited && bytes > 0) use(i, on_grid(double(bytes) / rate));
        };
        if (a == b) return through(3 * a + 2, machine_.memory);
        through(3 * a, machine_.card);
        through(3 * b + 1, machine_.card);
        if (machine_.torus)
            visit_links(machine_.torus->of_node[a], machine_.torus->of_node[b],
                        [&](std::size_t link) { through(torus_ + link, machine_.torus->link); });
        for (std::size_t i = 0; i < machine_.beyond.size(); ++i) {
            const Beyond& one = machine_.beyond[i];
            if (one.of_node[a] == one.of_node[b]) break;
            through(first_[i] + 2 * std::size_t(one.of_node[a]), one.uplink);
            through(first_[i] + 2 * std::size_t(one.of_node[b]) + 1, one.uplink);
        }
    }

private:
    const Machine& machine_;
    /// When each has carried all that has begun: leaving node n at 3n, entering it 3n + 1, inside 3n + 2; then
    /// those of the levels beyond, leaving and entering, or the links of a torus.
    std::vector<Seconds> free_;
    std::vector<std::size_t> first_;  // by level beyond
    std::size_t torus_ = 0;
};

}  // namespace echelon
