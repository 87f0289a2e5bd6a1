// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"

#include <cmath>
#include <vector>

namespace echelon {

/// Rounds to the grid of 2^-46 s (14 fs) of all times in a replay. On it sums of costs are exact in any order
/// (up to 128 s), and simultaneous events have equal times.
inline Seconds on_grid(Seconds time) {
    constexpr double lines_per_second = double(1ull << 46);
    return std::nearbyint(time * lines_per_second) / lines_per_second;
}

/// Resources that ranks share: network cards and memories of the nodes, links into and out of a switch or a
/// site, links of a torus. Each carries its messages at its rate, in the order in which they begin. A message
/// passes both cards and the links between them, or one memory, and is carried no faster than its own network
/// does. Messages that begin together end like they would with equal shares, except that the first ones end
/// sooner.
class SharedLinks {
public:
    SharedLinks(const Machine& machine, int p);

    /// Time at which the last byte of a message has left the cards. The message begins now and takes
    /// `transfer` alone.
    Seconds carry(int from, int to, Bytes bytes, Seconds now, Seconds transfer);

    /// count(): number of resources. pass() calls `use(i, share)` for each resource that a message passes,
    /// with the time that it takes there.
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
    /// Time at which each resource has carried all messages that have begun. Node n: leaving at 3n, entering
    /// at 3n + 1, inside at 3n + 2. Then follow the links of the levels beyond, leaving and entering, or the
    /// links of a torus.
    std::vector<Seconds> free_;
    std::vector<std::size_t> first_;  // by level beyond
    std::size_t torus_ = 0;
};

}  // namespace echelon
