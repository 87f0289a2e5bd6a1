// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/price/contention.hpp"
#include "flat/algorithm.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace echelon {

/// Limit on the messages in the replay of a phase. `quick` halves the time of a sum, and proposes equally
/// good recipes on machines that were not measured (docs/results/predictor.md). `formula` replays nothing.
enum class Detail : std::uint8_t { formula, quick, thorough };

/// Times of rows of the catalog on the sets of a contention, by replay. One of the sets that run side by side
/// is replayed, with its share of its nodes' cards. If that takes too many messages, fewer nodes are replayed
/// (and fewer ranks per node, if all ranks of a node do the same), with messages of equal length; the row's
/// cost formula then scales the time to all ranks. Results are cached. Not thread-safe.
class RowReplay {
public:
    RowReplay(const Machine& machine, Detail detail)
        : machine_(machine),
          by_formula_(detail == Detail::formula),
          most_messages_(detail == Detail::quick ? 200 : 1000) {}

    /// Requires: `problem.p` is the contention's. Returns `unlimited`, and stops early, if the time exceeds
    /// `limit`.
    Seconds operator()(const Algorithm& row, const Problem& problem, const Contention& contention,
                       Seconds limit = unlimited);
    /// Lower bound by the row's cost formula: every message costs processor time and its bytes, and messages
    /// that follow one another cost a latency each.
    Seconds floor(const Algorithm& row, const Problem& problem, const Contention& contention);

    /// Time of one message between two ranks of a set while all sets send one.
    Seconds message(double bytes, const Contention& contention) const;
    Cost cost(const Algorithm& row, const Problem& problem);
    const Machine& machine() const { return machine_; }
    /// True if all ranks of a set share memory with known times.
    bool has_windows(const Contention& contention) const {
        return machine_.window && contention.crossings() == 0 && contention.p() > 1;
    }

private:
    struct Asked {
        const Algorithm* row;
        int p;
        Bytes bytes, segment;
        int radix;
        std::string schedule;
        int ground;
        auto operator<=>(const Asked&) const = default;
    };
    /// The replayed set: the node of each rank, numbered from 0; the switch and site, or the torus position,
    /// of each node; the number of sets that share the nodes, and of ranks that own a block.
    struct Ground {
        std::vector<int> nodes;
        std::vector<std::vector<int>> beyond;
        std::vector<TorusPosition> torus;
        int sharing, owners;
        /// The owners among `p` of the ranks.
        int owners_of(std::size_t p) const {
            return std::max(1, int(std::size_t(owners) * p / nodes.size()));
        }
        /// About p ranks on fewer nodes; at least two nodes, if there are as many.
        Ground fewer(int p) const;
        /// Every second rank of each node. Each rank gets the share of the node that two ranks had.
        Ground thinner() const;
        auto operator<=>(const Ground&) const = default;
    };
    static Asked key(const Algorithm& row, const Problem& problem, int ground);
    int number_of(const Ground& ground) {
        return grounds_.try_emplace(ground, int(grounds_.size())).first->second;
    }
    bool shares(const Ground& ground) const {
        return machine_.window && std::ranges::all_of(ground.nodes, [](int node) { return node == 0; });
    }
    const Network& network(const Contention& contention) const {
        for (std::size_t far = machine_.beyond.size(); far-- > 0;)
            if (contention.touched(machine_.beyond[far].level) > 1) return machine_.beyond[far].network;
        return contention.crossings() > 0 ? machine_.between : machine_.inside;
    }
    /// The machine as seen by one of the sets that share its nodes.
    Machine on(const Ground& ground) const;
    /// Computes a time that is not in the cache.
    Seconds time(const Algorithm& row, const Problem& problem, const Contention& contention,
                 const Ground& whole, Seconds limit);
    Seconds replay(const Algorithm& row, const Problem& problem, const Ground& ground,
                   Seconds limit = unlimited) const;
    /// True if a replay takes more than `times` times the limit of messages.
    bool is_long(const Algorithm& row, const Problem& problem, double times = 1);
    std::optional<Seconds> of_few_segments(const Algorithm& row, const Problem& problem, const Ground& whole);
    Seconds of_fewer_ranks(const Algorithm& row, const Problem& problem, const Contention& contention,
                           const Ground& whole);
    /// Hockney time of a cost on a contention's network.
    Seconds formula(const Cost& cost, const Contention& contention) const;
    /// Time of messages to all other ranks at once, without latencies; the cards carry the messages that
    /// leave the nodes.
    Seconds at_once(const Cost& cost, const Contention& contention, const Ground& ground) const;
    const Ground& ground_of(const Contention& contention);

    /// Factor on the limit of messages up to which the ranks of a node are not thinned out, because that is
    /// less accurate.
    static constexpr double some_more = 5;

    const Machine& machine_;
    bool by_formula_;
    double most_messages_;  // of a replay
    std::map<const Contention*, Ground> ground_of_;
    std::map<Ground, int> grounds_;
    struct Known {
        /// The time. If it is `unlimited`, the time is above `least`.
        Seconds seconds = unlimited, least = 0;
        bool answers(Seconds limit) const { return seconds < unlimited || least >= limit; }
    };
    std::map<Asked, Known> known_;
    std::map<Asked, Cost> costs_;
};

}  // namespace echelon
