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

/// How many messages the replay of a phase may have. With few a sum takes half the time; of a machine that nobody measured
/// it proposes recipes as good (docs/results/predictor.md).
enum class Detail : std::uint8_t { formula, quick, thorough };

/// What rows of the catalog take on the sets of a contention, by replay: of sets that run side by side one is
/// replayed, with its share of what its nodes' cards carry. Where that were too many messages, fewer nodes
/// are replayed (and where all ranks of a node do alike, fewer of these), with messages of the same length, and the row's cost
/// formula says how much more all of them take. Remembers what it was asked. Not for several threads.
class RowReplay {
public:
    RowReplay(const Machine& machine, Detail detail)
        : machine_(machine),
          by_formula_(detail == Detail::formula),
          most_messages_(detail == Detail::quick ? 200 : 1000) {}

    /// `problem.p` is the contention's. Unlimited, and sooner known, where it takes longer than `limit`.
    Seconds operator()(const Algorithm& row, const Problem& problem, const Contention& contention,
                       Seconds limit = unlimited);
    /// What it takes at least, by its cost formula: every message costs the processor's time and its bytes, those
    /// that follow one another a latency each.
    Seconds floor(const Algorithm& row, const Problem& problem, const Contention& contention);

    /// One message between two ranks of a set, while all sets send one.
    Seconds message(double bytes, const Contention& contention) const;
    Cost cost(const Algorithm& row, const Problem& problem);
    const Machine& machine() const { return machine_; }
    /// All ranks of a set share memory, and it is known what that takes.
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
    /// The node of each rank of the set that is replayed, numbered from 0, what those belong to by level, where they
    /// are in a torus, and how many sets share them.
    struct Ground {
        std::vector<int> nodes;
        std::vector<std::vector<int>> beyond;
        std::vector<TorusPosition> torus;
        int sharing;
        /// With p ranks or so, on fewer nodes, of two at least where there are as many.
        Ground fewer(int p) const;
        /// With every second rank of each node; each has the part of its node that two had.
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
    /// The machine as one of the sets has it that share nodes.
    Machine on(const Ground& ground) const;
    /// What is not known yet.
    Seconds time(const Algorithm& row, const Problem& problem, const Contention& contention,
                 const Ground& whole, Seconds limit);
    Seconds replay(const Algorithm& row, const Problem& problem, const Ground& ground,
                   Seconds limit = unlimited) const;
    /// More messages than a replay may have, or than so many times as many.
    bool is_long(const Algorithm& row, const Problem& problem, double times = 1);
    std::optional<Seconds> of_few_segments(const Algorithm& row, const Problem& problem, const Ground& whole);
    Seconds of_fewer_ranks(const Algorithm& row, const Problem& problem, const Contention& contention,
                           const Ground& whole);
    /// The Hockney time of a cost on a contention's network.
    Seconds formula(const Cost& cost, const Contention& contention) const;
    /// The same of messages to all others at once: no latency counts, and the cards carry what leaves the nodes.
    Seconds at_once(const Cost& cost, const Contention& contention, const Ground& ground) const;
    const Ground& ground_of(const Contention& contention);

    /// As many, where ranks cannot be fewer without a loss.
    static constexpr double some_more = 5;

    const Machine& machine_;
    bool by_formula_;
    double most_messages_;  // of a replay, 0.7 us each
    std::map<const Contention*, Ground> ground_of_;
    std::map<Ground, int> grounds_;
    struct Known {
        /// What it takes; where that is unlimited, it takes longer than `least`.
        Seconds seconds = unlimited, least = 0;
        bool answers(Seconds limit) const { return seconds < unlimited || least >= limit; }
    };
    std::map<Asked, Known> known_;
    std::map<Asked, Cost> costs_;
};

}  // namespace echelon
