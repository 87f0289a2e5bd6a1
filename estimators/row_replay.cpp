// SPDX-License-Identifier: Apache-2.0
#include "estimators/row_replay.hpp"

#include "estimators/load.hpp"
#include "estimators/replay.hpp"
#include "estimators/simulator.hpp"
#include "hier/recorded_site.hpp"

#include <algorithm>
#include <utility>

namespace echelon {
namespace {

/// Of a part of a decision, which has some two hundred; about 1 us each.
constexpr double most_messages = 1000;
/// Of a pipeline, each with six messages.
constexpr int most_ranks = 256;

/// The ranks of the first nodes, at least two where there are as many.
std::vector<int> first_nodes(const std::vector<int>& nodes, int p) {
    const int all = *std::max_element(nodes.begin(), nodes.end()) + 1;
    const int kept = std::min(all, std::max(2, int(std::int64_t(all) * p / std::int64_t(nodes.size()))));
    std::vector<int> made;
    for (const int node : nodes)
        if (node < kept) made.push_back(node);
    return made;
}

/// The machine as one of the sets has it that share nodes.
Machine on(Machine machine, const std::vector<int>& nodes, int sharing) {
    machine.nodes = nodes;
    machine.card /= sharing;
    machine.memory /= sharing;
    return machine;
}

PackedSchedule packed(const Algorithm& row, const Problem& problem) {
    const Call call = replayed_call(row.collective, problem.bytes, problem.p, {});
    Args args = call.args(problem.p);
    args.segment = problem.segment;
    args.radix = problem.radix;
    args.schedule = problem.schedule;
    return pack(problem.p, call.element_size, [&](Recorder& link) { row.body(link, args); });
}

}  // namespace

RowReplay::Asked RowReplay::key(const Algorithm& row, const Problem& problem, int ground) {
    return {&row,  problem.p, problem.bytes, problem.segment, problem.radix, std::string(problem.schedule),
            ground};
}

Cost RowReplay::cost(const Algorithm& row, const Problem& problem) {
    const auto [known, is_new] = costs_.try_emplace(key(row, problem, 0));
    if (is_new) known->second = row.cost(problem);
    return known->second;
}

Seconds RowReplay::message(double bytes, const Terrain& terrain) const {
    const bool leaves = terrain.crossings() > 0;
    const Seconds shared = bytes * terrain.sharing() / (leaves ? machine_.card : machine_.memory);
    const Seconds own = message_cost(network(terrain), {Bytes(bytes + 0.5)}).transfer;
    return message_time(network(terrain), bytes) + std::max(0.0, shared - own);
}

Seconds RowReplay::formula(const Cost& cost, const Terrain& terrain) const {
    const double mean = cost.steps > 0 ? cost.volume / cost.steps : 0;
    return cost.steps * message(mean, terrain) + (cost.reductions + cost.hidden) * machine_.gamma;
}

Seconds RowReplay::floor(const Algorithm& row, const Problem& problem, const Terrain& terrain) {
    const Cost cost = this->cost(row, problem);
    const double mean = cost.steps > 0 ? cost.volume / cost.steps : 0;
    const MessageCost one = message_cost(network(terrain), {Bytes(mean + 0.5)});
    const Seconds bytes = message(mean, terrain) - message(0, terrain);
    return one.latency + cost.steps * (one.send_overhead + one.start + bytes) +
           cost.reductions * machine_.gamma;
}

const RowReplay::Ground& RowReplay::ground_of(const Terrain& terrain) {
    const auto [known, is_new] = ground_of_.try_emplace(&terrain);
    if (!is_new) return known->second;
    std::map<int, int> numbers;
    for (const int node : terrain.nodes_of_one())
        known->second.nodes.push_back(numbers.try_emplace(node, int(numbers.size())).first->second);
    known->second.sharing = terrain.sharing();
    return known->second;
}

Seconds RowReplay::operator()(const Algorithm& row, const Problem& problem, const Terrain& terrain) {
    const Ground& whole = ground_of(terrain);
    const auto [known, is_new] = known_.try_emplace(key(row, problem, number_of(whole)));
    if (!is_new) return known->second;
    const auto is_long = [&](const Problem& one) { return one.p * cost(row, one).steps > most_messages; };
    if (!is_long(problem)) return known->second = replay(row, problem, whole);
    // What repeats is replayed but a few times: then each segment takes as long as the last few, and no less
    // than the busiest resource needs for it.
    const double segments = problem.segment == 0 ? 1 : double(problem.bytes) / double(problem.segment);
    Problem few = problem, fewest = problem;
    few.bytes = 2 * (fewest.bytes = 2 * problem.segment);
    if (segments > 6 && problem.p <= most_ranks && cost(row, few).steps > cost(row, fewest).steps) {
        const Seconds some = replay(row, few, whole), least = replay(row, fewest, whole);
        const Seconds load = busiest(packed(row, few), on(machine_, whole.nodes, whole.sharing));
        return known->second = some + (segments - 4) * std::max((some - least) / 2, load / 4);
    }
    // Else fewer nodes are replayed.
    Ground fewer = whole;
    Problem smaller = problem;
    const Cost all = cost(row, problem);
    Cost some = all;
    while (is_long(smaller)) {
        fewer.nodes = first_nodes(whole.nodes, smaller.p / 2);
        const int before = std::exchange(smaller.p, int(fewer.nodes.size()));
        if (smaller.p == before) break;
        smaller.bytes = problem.bytes;
        some = cost(row, smaller);
        // Messages as long as they are among all ranks.
        if (some.volume > 0) {
            const double longer = (all.volume / all.steps) / (some.volume / some.steps);
            smaller.bytes = Bytes(double(problem.bytes) * longer + 0.5);
            some = cost(row, smaller);
        }
    }
    const Seconds time = replay(row, smaller, fewer);
    const Seconds base = formula(some, terrain);
    return known->second = smaller.p == problem.p || base == 0 ? time : time * formula(all, terrain) / base;
}

Seconds RowReplay::replay(const Algorithm& row, const Problem& problem, const Ground& ground) const {
    return simulate(packed(row, problem), on(machine_, ground.nodes, ground.sharing)).makespan();
}

}  // namespace echelon
