// SPDX-License-Identifier: Apache-2.0
#include "estimators/predict.hpp"

#include "core/fold.hpp"
#include "estimators/patterns.hpp"
#include "flat/multiplying_choice.hpp"

#include <algorithm>

namespace echelon {
namespace {

using TreeOf = TreeShape (*)(const Problem&);

/// A row that sends a message, or in `blocks` each rank's block of it, through a tree.
struct TreeRow {
    Collective collective;
    std::string_view name;
    TreeOf tree;
    bool blocks = false;
};

constexpr TreeOf flat = [](const Problem& problem) { return flat_tree(problem.p); };
constexpr TreeOf chain = [](const Problem& problem) { return chain_tree(problem.p); };
constexpr TreeOf binary = [](const Problem& problem) { return binary_tree(problem.p); };
constexpr TreeOf binomial = [](const Problem& problem) { return knomial_tree(problem.p, 2); };
constexpr TreeOf knomial = [](const Problem& problem) { return knomial_tree(problem.p, problem.radix); };

constexpr TreeRow tree_rows[] = {{Collective::bcast, "flat_tree", flat},
                                 {Collective::bcast, "chain", chain},
                                 {Collective::bcast, "binary", binary},
                                 {Collective::bcast, "binomial", binomial},
                                 {Collective::bcast, "knomial", knomial},
                                 {Collective::reduce, "flat_tree", flat},
                                 {Collective::reduce, "chain", chain},
                                 {Collective::reduce, "binary", binary},
                                 {Collective::reduce, "in_order_binary", binary},
                                 {Collective::reduce, "binomial", binomial},
                                 {Collective::reduce, "knomial", knomial},
                                 {Collective::gather, "linear", flat, true},
                                 {Collective::scatter, "linear", flat, true},
                                 {Collective::scan, "chain", chain}};

Seconds tree_time(const TreeRow& row, const Problem& problem, const Network& network, SecondsPerByte gamma) {
    const Bytes bytes = row.blocks ? problem.bytes / Bytes(problem.p) : problem.bytes;
    const Segments segments({0, bytes}, problem.segment);
    const TreeShape tree = row.tree(problem);
    const double n = double(segments.size());
    if (row.collective == Collective::bcast || row.collective == Collective::scatter)
        return time_down(tree, n, segments.longest(), network);
    return time_up(tree, n, segments.longest(), network, reduces(row.collective) ? gamma : 0);
}

/// Binomial gather and scatter: the longest messages are those next to the root, and fewer wait for each
/// other than the formula's ceil(log2 p).
Seconds blocks_tree_time(const Cost& cost, const Problem& problem, const Network& network) {
    return time_of(cost, network, 0) - cost.steps * message_time(network, 0) +
           time_of_paths(knomial_tree(problem.p, 2), network);
}

/// A step of the reduce-scatter takes as long as its segments are busy on their way, or one of them under
/// way.
Seconds segmented_ring_time(const Problem& problem, const Network& network, SecondsPerByte gamma) {
    const Bytes block = problem.bytes / Bytes(problem.p);
    const Segments segments({0, block}, problem.segment);
    const Bytes length = segments.longest();
    const Seconds busy = double(segments.size()) * time_between_messages(length, network, gamma);
    const Seconds under_way = message_time(network, double(length)) + double(length) * gamma;
    return (problem.p - 1) * (std::max(busy, under_way) + message_time(network, double(block)));
}

Seconds multiplying_time(const Problem& problem, const Network& network, SecondsPerByte gamma) {
    Seconds sum = 0;
    for (const MultiplyingStage& stage : multiplying_schedule(problem.schedule, problem.p)) {
        const int messages = one_ported_rounds(stage);
        sum += stage.kind == MultiplyingStage::Kind::expand
                   ? time_down(flat_tree(messages + 1), 1, problem.bytes, network)
                   : time_stage(messages, problem.bytes, network, gamma);
    }
    return sum;
}

/// Recursive doubling where messages do not wait for their receives: the partner of a rank that folds has
/// sent its first message by then, so that the fold costs one message less and only the taking of two that
/// arrive together; unless more than half of the ranks fold, and two of them are opposite to each other.
Seconds folding_time(Cost cost, const Problem& problem, const Network& network, SecondsPerByte gamma) {
    const Fold fold(problem.p);
    if (fold.pairs() == 0 || 2 * fold.pairs() > fold.size()) return time_of(cost, network, gamma);
    const Cost shorter{cost.steps - 1, cost.volume * (cost.steps - 1) / cost.steps, cost.reductions};
    return time_of(shorter, network, gamma) + time_between_arrivals(Bytes(cost.volume / cost.steps), network);
}

}  // namespace

Seconds time_of(const Cost& cost, const Network& network, SecondsPerByte gamma) {
    const auto messages = [&](double number, double volume) {
        return number <= 0 ? 0 : number * message_time(network, volume / number);
    };
    return messages(cost.steps, cost.volume) + cost.reductions * gamma +
           std::max(0.0, cost.hidden * gamma - messages(cost.hiding_steps, cost.hidden));
}

Seconds predict(const Algorithm& algorithm, const Problem& problem, const Network& network,
                SecondsPerByte gamma) {
    if (problem.p < 2) return 0;
    const bool one_message_at_a_time =
        std::holds_alternative<Hockney>(network) || std::holds_alternative<PiecewiseHockney>(network);
    if (one_message_at_a_time) return time_of(algorithm.cost(problem), network, gamma);

    for (const TreeRow& row : tree_rows)
        if (row.collective == algorithm.collective && row.name == algorithm.name)
            return tree_time(row, problem, network, gamma);
    // Two ranks: whatever the tree, one sends the segments to the other.
    if (problem.p == 2 &&
        (algorithm.collective == Collective::bcast || algorithm.collective == Collective::reduce) &&
        algorithm.takes_segment)
        return tree_time({algorithm.collective, {}, chain}, problem, network, gamma);

    const auto is = [&](Collective collective, std::string_view row) {
        return algorithm.collective == collective && algorithm.name == row;
    };
    const auto up_and_down = [&](const TreeRow& up, const TreeRow& down) {
        return tree_time(up, problem, network, gamma) + tree_time(down, problem, network, gamma);
    };
    if (is(Collective::allreduce, "linear"))
        return up_and_down({Collective::reduce, {}, flat}, {Collective::bcast, {}, flat});
    if (is(Collective::allreduce, "reduce_bcast"))
        return up_and_down({Collective::reduce, {}, binomial}, {Collective::bcast, {}, binomial});
    if (is(Collective::barrier, "linear"))
        return up_and_down({Collective::gather, {}, flat}, {Collective::bcast, {}, flat});
    if (is(Collective::allreduce, "recursive_multiplying")) return multiplying_time(problem, network, gamma);
    if (is(Collective::allreduce, "segmented_ring")) return segmented_ring_time(problem, network, gamma);
    if (is(Collective::alltoall, "linear"))
        return time_exchange(problem.p - 1, problem.bytes / Bytes(problem.p), network);

    const Cost cost = algorithm.cost(problem);
    if (is(Collective::gather, "binomial") || is(Collective::scatter, "binomial"))
        return blocks_tree_time(cost, problem, network);
    if (is(Collective::barrier, "recursive_doubling") || is(Collective::allreduce, "recursive_doubling"))
        return folding_time(cost, problem, network, gamma);
    return time_of(cost, network, gamma);
}

}  // namespace echelon
