// SPDX-License-Identifier: Apache-2.0
#include "estimators/row_time.hpp"

#include "core/ranks.hpp"
#include "flat/ring_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace echelon {
namespace {

struct Patterned {
    std::string_view name;
    Pattern pattern;
};

constexpr std::array patterns{Patterned{"ring", Pattern::neighbours},
                              Patterned{"segmented_ring", Pattern::neighbours},
                              Patterned{"double_ring", Pattern::neighbours},
                              Patterned{"pairwise", Pattern::pairs},
                              Patterned{"recursive_doubling", Pattern::doubling},
                              Patterned{"rabenseifner", Pattern::doubling},
                              Patterned{"halving", Pattern::doubling},
                              Patterned{"doubling", Pattern::doubling},
                              Patterned{"recursive_multiplying", Pattern::doubling},
                              Patterned{"binary_blocks", Pattern::doubling},
                              Patterned{"elimination_short", Pattern::doubling},
                              Patterned{"elimination_long", Pattern::doubling},
                              Patterned{"circulant", Pattern::circulant},
                              Patterned{"census", Pattern::circulant},
                              Patterned{"dissemination", Pattern::circulant},
                              Patterned{"bruck", Pattern::circulant},
                              Patterned{"flat_tree", Pattern::star},
                              Patterned{"linear", Pattern::star},
                              Patterned{"chain", Pattern::chain},
                              Patterned{"kchain", Pattern::chain},
                              Patterned{"binary", Pattern::binary},
                              Patterned{"in_order_binary", Pattern::binary},
                              Patterned{"two_tree", Pattern::trees},
                              Patterned{"dual_root", Pattern::trees},
                              Patterned{"split_binary", Pattern::halves},
                              Patterned{"kring", Pattern::neighbours},
                              Patterned{"reduce_bcast", Pattern::binomial},
                              Patterned{"binomial", Pattern::binomial},
                              Patterned{"knomial", Pattern::knomial},
                              Patterned{"scatter_allgather", Pattern::scatter}};

/// Nodes of consecutive ranks.
bool in_blocks(const Terrain& terrain) { return terrain.crossings() == terrain.nodes() - 1; }

bool moves_blocks(Collective collective) {
    return collective == Collective::reduce_scatter || collective == Collective::allgather ||
           collective == Collective::gather || collective == Collective::scatter;
}

}  // namespace

Pattern pattern_named(std::string_view algorithm) {
    for (const auto& [name, pattern] : patterns)
        if (name == algorithm) return pattern;
    return Pattern::unknown;
}

Pattern pattern_of(const Algorithm& row) {
    static const std::vector<Pattern> of_rows = [] {
        std::vector<Pattern> all;
        for (const Algorithm& one : catalog()) all.push_back(pattern_named(one.name));
        return all;
    }();
    static const Algorithm* const first = catalog().data();
    return of_rows[std::size_t(&row - first)];
}

bool has_slow_formula(const Algorithm& row) {
    return row.takes_schedule || pattern_of(row) == Pattern::trees;
}

Seconds RowTimes::message(double bytes, double leaving) const {
    const auto whole = Bytes(bytes + 0.5);
    if (leaving <= 0) return message_time(machine_.inside, bytes);
    const MessageCost cost = message_cost(machine_.between, {whole, 1});
    const Seconds shared = std::max(1.0, leaving) * bytes / machine_.card;
    return message_time(machine_.between, bytes) + std::max(0.0, shared - cost.transfer);
}

Cost RowTimes::cost(const Algorithm& row, const Problem& problem) {
    if (!row.takes_schedule || !problem.schedule.empty()) return row.cost(problem);
    // Finding the schedule takes long, and the cost grows with the bytes alone.
    const auto [known, is_new] = of_a_byte_.try_emplace({&row, problem.p});
    if (is_new) {
        const std::string schedule_text = to_string(schedule(problem));
        Problem unit = problem;
        unit.bytes = 1;
        unit.schedule = schedule_text;
        known->second = row.cost(unit);
    }
    Cost cost = known->second;
    cost.volume *= double(problem.bytes);
    cost.reductions *= double(problem.bytes);
    return cost;
}

double RowTimes::tree_flow(const Algorithm& row, const Terrain& terrain) {
    // Trees in rank order on nodes of consecutive ranks leave a node once, each.
    const bool blocks = in_blocks(terrain);
    if (blocks && (row.name == "in_order_binary" || row.name == "dual_root")) return terrain.sets_in_node();
    const double heap = std::max(1.0, terrain.leaving(Reach::heap, 0) / 2);
    return blocks && row.name == "two_tree" ? std::min(heap, 2.0 * terrain.sets_in_node()) : heap;
}

Seconds RowTimes::messages(const Algorithm& row, const Problem& problem, const Cost& cost,
                           const Terrain& terrain) {
    const int p = problem.p;
    const double n = double(problem.bytes), mean = cost.steps > 0 ? cost.volume / cost.steps : 0;
    const auto all_at = [&](double leaving) { return cost.steps * message(mean, leaving); };
    if (const auto time = overlapping(row, problem, cost, terrain)) return *time;
    if (terrain.crossings() == 0) return all_at(0);

    // Rounds of one distance each; what the formula has on top (folding, last transfers) goes at the price of
    // the first round.
    double steps = 0, volume = 0;
    Seconds time = 0;
    const auto round = [&](Reach reach, int distance, double bytes) {
        time += message(bytes, terrain.leaving(reach, distance));
        ++steps;
        volume += bytes;
    };
    const auto rest = [&](double leaving) {
        const double more = cost.steps - steps;
        if (more <= 0) return time * (steps > 0 ? cost.steps / steps : 1);
        return time + more * message(std::max(0.0, cost.volume - volume) / more, leaving);
    };

    // Where everybody has something for everybody, even a star of each is a round at every distance.
    const bool all_to_all = row.collective == Collective::alltoall;
    const Pattern named = pattern_of(row);
    switch (all_to_all && named == Pattern::star ? Pattern::pairs : named) {
        case Pattern::neighbours:
            if (row.name == "kring") {
                // Rings inside runs of ranks, and between these one step at a time.
                const int each = RingGroups(p, problem.radix, 0).size(), groups = p / each;
                const double across = cost.steps * (groups - 1) / (p - 1);
                const bool inside = terrain.leaving(Reach::exchange, std::max(1, each / 2)) == 0;
                return across * message(mean, terrain.leaving(Reach::shift, each)) +
                       (cost.steps - across) * message(mean, inside ? 0 : terrain.leaving(Reach::shift, 1));
            }
            return all_at(terrain.leaving(Reach::shift, 1));
        case Pattern::pairs:
            for (int distance = 1; distance < p; ++distance) round(Reach::shift, distance, mean);
            return rest(0);
        case Pattern::doubling: {
            const int f = floor_log2(p);
            const bool whole = row.name == "recursive_doubling" || row.name == "recursive_multiplying" ||
                               row.name == "elimination_short";
            const bool both = !whole && row.collective == Collective::allreduce;
            const bool blocks = moves_blocks(row.collective);
            for (int k = 0; k < f; ++k) {
                // The longest messages go to the nearest rank; in halving and doubling of blocks in rank
                // order, to the farthest.
                const double share = whole ? n : n / double(2 << k);
                round(Reach::exchange, blocks ? 1 << (f - 1 - k) : 1 << k, share);
                if (both) round(Reach::exchange, 1 << k, share);
                if (row.collective == Collective::reduce && !whole) round(Reach::tree, 1 << k, share);
            }
            return rest(terrain.leaving(Reach::exchange, 1));
        }
        case Pattern::circulant: {
            const bool twice = row.collective == Collective::allreduce && row.name != "census";
            const bool empty = row.collective == Collective::barrier;
            if (all_to_all) {
                for (int distance = 1; distance < p; distance *= 2) round(Reach::shift, distance, mean);
                return rest(0);
            }
            if (row.takes_segment) {  // blocks follow one another, each round at the next distance
                Seconds filling = 0, sum = 0;
                int rounds = 0;
                for (int skip = p; skip > 1; skip = (skip + 1) / 2, ++rounds) {
                    filling += message(mean, terrain.leaving(Reach::exchange, (skip + 1) / 2));
                    sum += message(mean, terrain.leaving(Reach::shift, (skip + 1) / 2));
                }
                // The first block doubles the ranks that have it; then all have something to send in every
                // round.
                return filling + std::max(0.0, cost.steps - rounds) * sum / rounds;
            }
            for (int skip = p; skip > 1; skip = (skip + 1) / 2) {
                const int half = (skip + 1) / 2;
                const double bytes = empty ? 0 : row.name == "census" ? n : n * (skip - half) / p;
                round(Reach::shift, half, bytes);
                if (twice) round(Reach::shift, half, bytes);
            }
            return rest(0);
        }
        case Pattern::star: {
            const double far = p > 1 ? cost.steps * terrain.outsiders() / (p - 1) : 0;
            return far * message(mean, terrain.leaving(Reach::star, 0)) +
                   (cost.steps - far) * message(mean, 0);
        }
        case Pattern::scatter: {
            const bool power = is_power_of_two(p);
            for (int distance = 1 << (ceil_log2(p) - 1); distance > 0; distance /= 2)
                round(Reach::tree, distance, n * std::min(distance, p - distance) / p);
            for (int skip = p; skip > 1; skip = (skip + 1) / 2) {
                const int half = (skip + 1) / 2;
                round(power ? Reach::exchange : Reach::shift, half, n * (skip - half) / p);
            }
            return rest(0);
        }
        case Pattern::binomial:
            if (moves_blocks(row.collective)) {
                for (int distance = 1 << (ceil_log2(p) - 1); distance > 0; distance /= 2)
                    round(Reach::tree, distance, n * std::min(distance, p - distance) / p);
                return rest(0);
            }
            [[fallthrough]];
        case Pattern::knomial:
        case Pattern::chain:
        case Pattern::binary: {
            const Segments segments({0, problem.bytes}, problem.segment);
            const double first = double(segments.longest()), more = double(segments.size()) - 1;
            Problem one = problem;
            one.segment = 0;
            one.bytes = segments.longest();
            const double fill = row.cost(one).steps;
            const Pattern pattern = pattern_of(row);
            // The first segment fills the tree: its messages inside and between nodes. Then the slowest place
            // sets the pace.
            Seconds filling = 0;
            double flow = 1;
            if (pattern == Pattern::chain) {
                // Several chains share the crossings, and the root hears the last of each, one after the
                // other.
                double far = terrain.crossings();
                const double chains = row.name == "kchain" ? std::min(problem.radix, p - 1) : 1;
                if (chains > 1)
                    far = std::min(fill, far * fill / (p - 1) + chains * terrain.outsiders() / (p - 1));
                // No more messages are under way than there are segments.
                const double all = terrain.leaving(Reach::shift, 1);
                const double sets = terrain.sets_in_node();
                flow = std::max(std::min(sets, all), all * std::min(1.0, chains * (more + 1) / (p - 1)));
                filling = far * message(first, flow) + (fill - far) * message(first, 0);
                if (chains > 1) flow = std::min(sets, all);  // the root is busy with all chains in turn
            } else if (pattern == Pattern::binary) {
                flow = tree_flow(row, terrain);
                const bool in_order = row.name == "in_order_binary" && in_blocks(terrain);
                const double near =
                    std::min(fill, (in_order ? 2.0 : 1.0) * floor_log2(p - terrain.outsiders()));
                filling = (fill - near) * message(first, flow) + near * message(first, 0);
            } else {
                int levels = 0;
                for (int distance = 1; distance < p; distance *= 2, ++levels) {
                    flow = std::max(flow, terrain.leaving(Reach::tree, distance));
                    filling += message(first, terrain.leaving(Reach::tree, distance));
                }
                filling *= fill / std::max(1, levels);
            }
            const double each = more > 0 ? (cost.steps - fill) / more : 0;
            return filling + more * each * message(first, flow);
        }
        case Pattern::trees:
        case Pattern::halves: {
            // In rank order: the last levels are inside the nodes.
            const double flow = tree_flow(row, terrain), each = !in_blocks(terrain)       ? 0
                                                                : row.name == "dual_root" ? 3
                                                                                          : 1;
            const double near = std::min(cost.steps, each * floor_log2(std::max(1, p - terrain.outsiders())));
            return (cost.steps - near) * message(mean, flow) + near * message(mean, 0);
        }
        case Pattern::unknown:
            return all_at(terrain.ranks_in_node());
    }
    return all_at(terrain.ranks_in_node());
}

Seconds RowTimes::operator()(const Algorithm& row, const Problem& problem, const Terrain& terrain) {
    if (problem.p < 2) return 0;
    const Cost c = cost(row, problem);
    const Seconds combining = c.reductions * machine_.gamma;
    Seconds exposed = 0;
    if (c.hidden > 0 && c.hiding_steps > 0 && machine_.gamma > 0)
        exposed = std::max(
            0.0, c.hidden * machine_.gamma -
                     c.hiding_steps * message(c.hidden / c.hiding_steps, terrain.crossings() > 0 ? 1 : 0));
    return messages(row, problem, c, terrain) + combining + exposed;
}

}  // namespace echelon
