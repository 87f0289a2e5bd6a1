// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/allreduce.hpp"
#include "flat/multiplying_choice.hpp"

#include <algorithm>

namespace echelon {
namespace {

using Kind = MultiplyingStage::Kind;

/// Ranks that combine their values, in the order of combination. The first `givers` of them have a value; all
/// from `first_taker` on get the result. A rank that only takes leaves its own vector out.
struct Circle {
    std::vector<int> ranks;
    int givers;
    int first_taker;
};

int place_in(const std::vector<int>& ranks, int rank) {
    const auto found = std::find(ranks.begin(), ranks.end(), rank);
    return found == ranks.end() ? -1 : int(found - ranks.begin());
}

/// All messages of a circle overlap. Message i goes i places on around the circle: even if a rank receives
/// one message at a time, no two meet. Every rank combines from the first value to the last, which gives the
/// same bits.
void combine(Link& link, const Circle& circle, Slice data) {
    const int size = int(circle.ranks.size()), own = place_in(circle.ranks, link.rank());
    const bool gives = own < circle.givers, takes = own >= circle.first_taker;

    Scratch scratch(link);
    std::vector<Slice> values(std::size_t(circle.givers), data);
    std::vector<Link::Ticket> receives(std::size_t(circle.givers), Link::Ticket::none), sends;
    for (int i = 1; i < size; ++i) {
        const int from = wrap(own - i, size), to = wrap(own + i, size);
        if (takes && from < circle.givers) {
            Slice& value = values[std::size_t(from)];
            if (gives || from > 0) value = scratch(data.count);
            receives[std::size_t(from)] = link.start_receive(circle.ranks[std::size_t(from)], value);
        }
        if (gives && to >= circle.first_taker)
            sends.push_back(link.start_send(circle.ranks[std::size_t(to)], data));
    }
    const auto finish_sends = [&] {
        for (const Link::Ticket send : sends) link.wait(send);
        sends.clear();
    };
    Slice sum = values[0];
    for (std::size_t i = 0; takes && i < values.size(); ++i) {
        link.wait(receives[i]);
        if (i == 0) continue;
        if (sum == data || values[i] == data) finish_sends();
        if (values[i] == data) {
            link.reduce(data, sum, Side::before);
            sum = data;
        } else {
            link.reduce(sum, values[i], Side::after);
        }
    }
    finish_sends();
}

/// The ranks of a collapsing group; its last one continues.
std::vector<int> collapsing_group(const MultiplyingStage& stage, int rank) {
    std::vector<int> ranks;
    const int first = rank / stage.base * stage.base;
    for (int i = 0; i < stage.base; ++i) ranks.push_back(first + i);
    return ranks;
}

void expand(Link& link, const std::vector<int>& group, Slice data) {
    if (group.back() != link.rank()) return link.receive(group.back(), data);
    std::vector<Link::Ticket> sends;
    for (std::size_t i = 0; i + 1 < group.size(); ++i) sends.push_back(link.start_send(group[i], data));
    for (const Link::Ticket send : sends) link.wait(send);
}

/// The circle of a rank in a stage after which groups of `mask` * B virtual ranks have the same value; empty
/// if the rank does not take part.
Circle circle_in(const MultiplyingStage& stage, int mask, const MultiplyingRanks& ranks, int rank) {
    const bool merges = stage.kind == Kind::merge, tells = stage.kind == Kind::inverse_merge;
    int first = place_in(ranks.members, rank);
    if (first >= 0) {
        first -= first / mask % stage.base * mask;
    } else {
        const int number = place_in(ranks.remaining, rank);
        if (number < 0 || stage.kind == Kind::multiply) return {};
        first = number % stage.groups * (merges ? stage.base : 1);
    }
    std::vector<int> members, remaining;
    for (int i = 0; i < stage.base; ++i) members.push_back(ranks.members[std::size_t(first + i * mask)]);
    const int group = merges ? first / stage.base : first;
    for (int j = group; (merges || tells) && j < int(ranks.remaining.size()); j += stage.groups)
        remaining.push_back(ranks.remaining[std::size_t(j)]);

    const int others = int(remaining.size()), all = stage.base + others;
    Circle circle{merges ? remaining : members, merges ? all : stage.base, merges ? others : 0};
    const auto& rest = merges ? members : remaining;
    circle.ranks.insert(circle.ranks.end(), rest.begin(), rest.end());
    return circle;
}

}  // namespace

/// Recursive multiplying: recursive doubling with groups of any size B instead of pairs. The B - 1 messages
/// of a stage overlap: a stage takes little more than one latency if the network allows it.
///
///   p = 6, a3-a2    rank 0    rank 1    rank 2    rank 3    rank 4    rank 5
///   a3              012       012       012       345       345       345
///   a2              0-5       0-5       0-5       0-5       0-5       0-5
///
/// Numbers of ranks without good factors either collapse groups of ranks first (c.. e..), or let some ranks
/// only give to the first stage and take from the last one (m.. n..).
///
/// Cost, one message at a time: sum of (B - 1) (alpha + n beta + n gamma) over the stages. After a collapse
/// or a merge, groups start unevenly and their messages meet: k messages take up to 2k - 1 turns.
/// Needs: nothing. All ranks combine from the first rank to the last and have the same bits.
/// Source: Ruefenacht, Bull, Booth 2017, with corrections to its algorithms 2 to 6, which do not run as
/// printed.
void allreduce_recursive_multiplying(Link& link, const Args& args) {
    const int me = link.rank();
    const MultiplyingSchedule schedule = multiplying_schedule(args.schedule, link.size());
    const MultiplyingRanks ranks(schedule, link.size());
    int mask = 1;
    for (const MultiplyingStage& stage : schedule) {
        if (stage.kind == Kind::collapse) {
            if (me < stage.ranks)
                combine(link, {collapsing_group(stage, me), stage.base, stage.base - 1}, args.data);
        } else if (stage.kind == Kind::expand) {
            if (me < stage.ranks) expand(link, collapsing_group(stage, me), args.data);
        } else {
            const Circle circle = circle_in(stage, mask, ranks, me);
            if (!circle.ranks.empty()) combine(link, circle, args.data);
            mask *= stage.base;
        }
    }
}

Cost allreduce_recursive_multiplying_cost(const Problem& problem) {
    const double n = double(problem.bytes);
    Cost cost;
    bool uneven = false;
    for (const MultiplyingStage& stage : multiplying_schedule(problem.schedule, problem.p)) {
        const double messages = one_ported_rounds(stage);
        const double turns = uneven && stage.kind != Kind::expand ? 2 * messages - 1 : messages;
        const double combined = stage.kind == Kind::expand          ? 0
                                : stage.kind == Kind::inverse_merge ? stage.base - 1
                                                                    : messages;
        cost = cost + Cost{turns, turns * n, combined * n}.with_latencies(1);
        uneven = uneven || stage.kind == Kind::collapse || stage.kind == Kind::merge;
    }
    return cost;
}

}  // namespace echelon
