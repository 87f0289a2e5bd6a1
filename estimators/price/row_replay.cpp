// SPDX-License-Identifier: Apache-2.0
#include "estimators/price/row_replay.hpp"

#include "estimators/price/replay.hpp"
#include "estimators/simulator/load.hpp"
#include "estimators/simulator/simulator.hpp"
#include "hier/recorded_team.hpp"

#include <algorithm>
#include <utility>

namespace echelon {
namespace {

/// `owners`: the number of ranks that own a block.
PackedSchedule packed(const Algorithm& row, const Problem& problem, bool shares, int owners) {
    const Call call = replayed_call(row.collective, problem.bytes, problem.p, {});
    Args args = call.args(problem.p);
    args.segment = problem.segment;
    args.radix = problem.radix;
    args.schedule = problem.schedule;
    args.blocks = Blocks(args.data, owners);
    return pack(problem.p, call.element_size, [&](Recorder& link) {
        if (shares) link.share(WindowShape());
        row.body(link, args);
    });
}

}  // namespace

RowReplay::Ground RowReplay::Ground::fewer(int p) const {
    const int all = *std::max_element(nodes.begin(), nodes.end()) + 1;
    const int kept = std::min(all, std::max(2, int(std::int64_t(all) * p / std::int64_t(nodes.size()))));
    Ground made{{}, std::vector<std::vector<int>>(beyond.size()), {}, sharing, owners};
    // Nodes are picked evenly, to keep nodes that are far from each other. With levels beyond the nodes the
    // last node is always among them.
    std::vector<int> number(std::size_t(all), -1);
    for (int i = 0; i < kept; ++i) {
        const auto node = std::size_t((beyond.empty() && torus.empty()) || kept < 2
                                          ? std::int64_t(i) * all / kept
                                          : std::int64_t(i) * (all - 1) / (kept - 1));
        number[node] = i;
        for (std::size_t level = 0; level < beyond.size(); ++level)
            made.beyond[level].push_back(beyond[level][node]);
        if (!torus.empty()) made.torus.push_back(torus[node]);
    }
    for (const int node : nodes)
        if (number[std::size_t(node)] >= 0) made.nodes.push_back(number[std::size_t(node)]);
    made.owners = owners_of(made.nodes.size());
    return made;
}

Machine RowReplay::on(const Ground& ground) const {
    Machine machine = machine_;
    machine.nodes = ground.nodes;
    machine.card /= ground.sharing;
    machine.memory /= ground.sharing;
    for (std::size_t level = 0; level < ground.beyond.size(); ++level) {
        machine.beyond[level].of_node = ground.beyond[level];
        machine.beyond[level].uplink /= ground.sharing;
    }
    if (machine.torus) {
        machine.torus->of_node = ground.torus;
        machine.torus->link /= ground.sharing;
    }
    return machine;
}

RowReplay::Ground RowReplay::Ground::thinner() const {
    Ground made{{}, beyond, torus, 2 * sharing, owners};
    std::map<int, int> ranks_of;
    for (const int node : nodes)
        if (ranks_of[node]++ % 2 == 0) made.nodes.push_back(node);
    made.owners = owners_of(made.nodes.size());
    return made;
}

RowReplay::Asked RowReplay::key(const Algorithm& row, const Problem& problem, int ground) {
    return {&row,  problem.p, problem.bytes, problem.segment, problem.radix, std::string(problem.schedule),
            ground};
}

Cost RowReplay::cost(const Algorithm& row, const Problem& problem) {
    const auto [known, is_new] = costs_.try_emplace(key(row, problem, 0));
    if (is_new) known->second = row.cost(problem);
    return known->second;
}

Seconds RowReplay::message(double bytes, const Contention& contention) const {
    const bool leaves = contention.crossings() > 0;
    const Seconds shared = bytes * contention.sharing() / (leaves ? machine_.card : machine_.memory);
    const Seconds own = message_cost(network(contention), Bytes(bytes + 0.5)).transfer;
    return message_time(network(contention), bytes) + std::max(0.0, shared - own);
}

Seconds RowReplay::formula(const Cost& cost, const Contention& contention) const {
    const double mean = cost.steps > 0 ? cost.volume / cost.steps : 0;
    return cost.steps * message(mean, contention) + (cost.reductions + cost.hidden) * machine_.gamma;
}

Seconds RowReplay::floor(const Algorithm& row, const Problem& problem, const Contention& contention) {
    if (row.in_window && has_windows(contention)) return machine_.window->hand_over;
    Problem least = problem;
    least.p = contention.owners();
    const Cost cost = this->cost(row, least);
    const double mean = cost.steps > 0 ? cost.volume / cost.steps : 0;
    const MessageCost one = message_cost(network(contention), Bytes(mean + 0.5));
    const Seconds bytes = message(mean, contention) - message(0, contention);
    // All messages that follow one another but one may stay inside a node, unless each rank has its own node.
    const bool alone = contention.nodes_touched() == contention.p();
    const Seconds near = alone ? one.latency : message_cost(machine_.inside, Bytes(mean + 0.5)).latency;
    return one.latency + std::max(0.0, cost.latencies() - 1) * std::min(near, one.latency) +
           cost.steps * (one.send_overhead + one.start + bytes) + cost.reductions * machine_.gamma;
}

const RowReplay::Ground& RowReplay::ground_of(const Contention& contention) {
    const auto [known, is_new] = ground_of_.try_emplace(&contention);
    if (!is_new) return known->second;
    std::map<int, int> numbers;
    known->second.beyond.resize(machine_.beyond.size());
    for (const int node : contention.nodes_of_one()) {
        const auto [at, is_first] = numbers.try_emplace(node, int(numbers.size()));
        known->second.nodes.push_back(at->second);
        for (std::size_t level = 0; is_first && level < machine_.beyond.size(); ++level)
            known->second.beyond[level].push_back(machine_.beyond[level].of_node[std::size_t(node)]);
        if (is_first && machine_.torus)
            known->second.torus.push_back(machine_.torus->of_node[std::size_t(node)]);
    }
    known->second.sharing = contention.sharing();
    known->second.owners = contention.owners();
    return known->second;
}

Seconds RowReplay::operator()(const Algorithm& row, const Problem& problem, const Contention& contention,
                              Seconds limit) {
    if (by_formula_) return formula(cost(row, problem), contention);
    const Ground& whole = ground_of(contention);
    Known& known = known_[key(row, problem, number_of(whole))];
    if (!known.answers(limit)) known = {time(row, problem, contention, whole, limit), limit};
    return known.seconds > limit ? unlimited : known.seconds;
}

Seconds RowReplay::time(const Algorithm& row, const Problem& problem, const Contention& contention,
                        const Ground& whole, Seconds limit) {
    if (!is_long(row, problem)) return replay(row, problem, whole, limit);
    const auto by_segments = of_few_segments(row, problem, whole);
    return by_segments ? *by_segments : of_fewer_ranks(row, problem, contention, whole);
}

bool RowReplay::is_long(const Algorithm& row, const Problem& problem, double times) {
    return problem.p * cost(row, problem).steps > times * most_messages_;
}

// Replays a few segments. Each further segment takes as long as the last few, and at least as long as it
// occupies the busiest resource.
std::optional<Seconds> RowReplay::of_few_segments(const Algorithm& row, const Problem& problem,
                                                  const Ground& whole) {
    const double segments = problem.segment == 0 ? 1 : double(problem.bytes) / double(problem.segment);
    constexpr double messages_a_rank = 4;
    const double most = most_messages_ / messages_a_rank;
    const bool few_enough = problem.p <= most || int(whole.fewer(int(most)).nodes.size()) > most;
    if (segments <= 6 || !few_enough) return std::nullopt;
    Problem few = problem, fewest = problem;
    few.bytes = 2 * (fewest.bytes = 2 * problem.segment);
    if (cost(row, few).steps <= cost(row, fewest).steps) return std::nullopt;
    const PackedSchedule schedule = packed(row, few, shares(whole), whole.owners);
    const Machine machine = on(whole);
    const Seconds some = simulate(schedule, machine).makespan(), least = replay(row, fewest, whole);
    return some + (segments - 4) * std::max((some - least) / 2, busiest(schedule, machine) / 4);
}

// Replays fewer nodes. If all ranks of a node do the same, it also replays fewer ranks per node.
Seconds RowReplay::of_fewer_ranks(const Algorithm& row, const Problem& problem, const Contention& contention,
                                  const Ground& whole) {
    const Cost all = cost(row, problem);
    // If every rank sends blocks to all others at once, more blocks leave their nodes on more nodes.
    const bool everywhere =
        all.latencies() <= 2 && all.volume * (problem.p - 1) <= 1.01 * all.steps * double(problem.bytes);
    const bool alike = pattern(row.collective) == Pattern::to_all && !row.in_window &&
                       (everywhere || contention.crossings() == 0);
    Ground fewer = whole;
    Problem smaller = problem;
    Cost some = all;
    while (is_long(row, smaller)) {
        Ground next = whole.fewer(smaller.p / 2);
        if (int(next.nodes.size()) >= smaller.p && alike && is_long(row, smaller, some_more))
            next = fewer.thinner();
        if (int(next.nodes.size()) >= smaller.p) break;
        fewer = std::move(next);
        smaller.p = int(fewer.nodes.size());
        smaller.bytes = problem.bytes;
        some = cost(row, smaller);
        // Messages keep the length that they have among all ranks.
        if (some.volume > 0) {
            const double longer = (all.volume / all.steps) / (some.volume / some.steps);
            smaller.bytes = Bytes(double(problem.bytes) * longer + 0.5);
            some = cost(row, smaller);
        }
    }
    const Seconds time = replay(row, smaller, fewer);
    if (smaller.p == problem.p) return time;
    const auto more = [](Seconds part, Seconds few, Seconds many) {
        return few == 0 ? part : part * many / few;
    };
    if (!everywhere) return more(time, formula(some, contention), formula(all, contention));
    // Latencies of messages that go side by side overlap.
    const MessageCost one = message_cost(network(contention), smaller.bytes / Bytes(smaller.p));
    const auto latency = [&](const Cost& cost) {
        return one.latency *
               std::max(cost.latencies(), one.shares() ? cost.steps / MessageCost::most_side_by_side : 0);
    };
    const Seconds beyond = std::max(0.0, time - latency(some));
    return latency(all) + more(beyond, at_once(some, contention, fewer), at_once(all, contention, whole));
}

Seconds RowReplay::at_once(const Cost& cost, const Contention& contention, const Ground& ground) const {
    std::map<int, int> ranks_of;
    int most = 0;
    for (const int node : ground.nodes) most = std::max(most, ++ranks_of[node]);
    const double p = double(ground.nodes.size()), leaving = p > 1 ? (p - most) / (p - 1) : 0;
    const double mean = cost.steps > 0 ? cost.volume / cost.steps : 0;
    const MessageCost one = message_cost(network(contention), Bytes(mean + 0.5));
    const Seconds shared = leaving * most * ground.sharing * mean / machine_.card;
    return cost.steps *
               std::max({one.send_overhead + one.receive_overhead, one.start + one.transfer, shared}) +
           cost.reductions * machine_.gamma;
}

Seconds RowReplay::replay(const Algorithm& row, const Problem& problem, const Ground& ground,
                          Seconds limit) const {
    return makespan_within(limit, packed(row, problem, shares(ground), ground.owners), on(ground));
}

}  // namespace echelon
