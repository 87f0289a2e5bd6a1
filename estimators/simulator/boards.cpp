// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/boards.hpp"

#include "core/error.hpp"
#include "estimators/simulator/shared_links.hpp"

#include <algorithm>

namespace echelon {
namespace {

Seconds seen(const std::vector<Seconds>& by_round, std::uint64_t round) {
    return round < by_round.size() ? by_round[round] : never;
}

/// Time at which the first entry with at least that number is seen.
Seconds seen(const std::vector<std::pair<std::uint64_t, Seconds>>& entries, std::uint64_t least) {
    const auto found =
        std::lower_bound(entries.begin(), entries.end(), least,
                         [](const auto& entry, std::uint64_t number) { return entry.first < number; });
    return found == entries.end() ? never : found->second;
}

int most_of_a_node(int p, const Machine& machine) {
    std::vector<int> of_node(static_cast<std::size_t>(p));
    for (int rank = 0; rank < p; ++rank) {
        const auto node = std::size_t(machine.node(rank));
        if (node >= of_node.size()) of_node.resize(node + 1);
        ++of_node[node];
    }
    return *std::ranges::max_element(of_node);
}

}  // namespace

SimulatedBoards::SimulatedBoards(const PackedSchedule& schedule, const Machine& machine)
    : schedule_(schedule) {
    if (schedule.boards.empty()) return;
    if (!machine.window) throw Error("what goes through a window has no price");
    hand_over_ = on_grid(machine.window->hand_over);
    for (const auto& [members, depth] : schedule.boards)
        boards_.push_back({.depth = depth, .marks = std::vector<Marks>(members)});
    for (int ranks = 1; ranks <= most_of_a_node(schedule.p, machine); ++ranks) {
        const auto share = [&](auto what) { return share_of_crowd(machine.at_work, what, ranks); };
        const SecondsPerByte copy =
            std::max(machine.window->copy * share(&WorkAtOnce::copy), double(ranks) / machine.memory);
        work_.push_back({copy, std::max(copy, machine.gamma * share(&WorkAtOnce::combine))});
    }
}

Seconds SimulatedBoards::ready(const Op& op) const {
    const auto& step = this->step(op);
    const Board& board = boards_[step.board];
    if (op.kind == Op::Kind::get) return seen(board.marks[step.peer].filled, step.round);
    Seconds from = 0;
    if (op.kind == Op::Kind::fold)
        for (Id place = 0; place < step.peer; ++place)
            if (place != step.place) from = std::max(from, seen(board.marks[place].filled, step.round));
    if (op.kind == Op::Kind::put && step.round >= board.depth)
        for (Id place = 0; place < Id(board.marks.size()); ++place)
            if (place != step.place)
                from = std::max(from, seen(board.marks[place].left, step.round - board.depth + 1));
    return from;
}

Seconds SimulatedBoards::work(const Op& op, int at_work) const {
    const auto& step = this->step(op);
    const Work& work = work_[std::min(std::size_t(at_work), work_.size()) - 1];
    const double bytes = double(step.bytes);
    if (op.kind == Op::Kind::fold && step.peer > 1)
        return on_grid(double(step.peer - 1) * bytes * work.combine);
    return on_grid(bytes * work.copy);
}

Seconds SimulatedBoards::done(const Op& op, Seconds now) {
    const auto& step = this->step(op);
    Marks& own = boards_[step.board].marks[step.place];
    const Seconds seen = now + hand_over_;
    if (op.kind == Op::Kind::put) {
        if (own.filled.size() <= step.round) own.filled.resize(step.round + 1, never);
        own.filled[step.round] = seen;
    }
    if (op.kind == Op::Kind::leave) own.left.emplace_back(step.round, seen);
    return seen;
}

}  // namespace echelon
