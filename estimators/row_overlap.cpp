// SPDX-License-Identifier: Apache-2.0
// Rows whose ranks send or receive several messages at once.
#include "core/blocks.hpp"
#include "core/ranks.hpp"
#include "estimators/row_time.hpp"
#include "flat/multiplying_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace echelon {
namespace {

/// Messages that a rank of a tree has under way: a broadcast's sends (send_window.hpp); a reduction receives
/// the next operand when it has the one before (tree_reduce.hpp).
constexpr std::size_t sends_at_once = 8, receives_at_once = 1;

/// Of a tree whose levels are no powers of two: as one with a level at this distance.
double leaving_tree(const Terrain& terrain, long long distance) {
    return terrain.leaving(Reach::tree, 1 << floor_log2(int(distance)));
}

std::size_t window_of(bool up) { return up ? receives_at_once : sends_at_once; }

}  // namespace

FanMessage RowTimes::one_of_several(double bytes, double leaving) const {
    const Seconds alone = message(bytes, leaving);
    const auto& fan = leaving > 0 ? machine_.between_fan : machine_.inside_fan;
    if (!fan) return {alone, alone, 0};
    const Seconds shared = leaving > 0 ? std::max(1.0, leaving) * bytes / machine_.card : 0;
    const Seconds way = std::max(fan->per_byte * bytes, shared);
    return {alone, std::min(alone, fan->gap + way), fan->sharing * way};
}

/// One segment through a k-nomial tree.
Seconds RowTimes::tree(const Problem& problem, int radix, bool up, const Terrain& terrain) const {
    std::vector<Seconds> done{0};  // by level: a subtree of radix^level ranks
    std::vector<Branch> branches, children;
    // Up: the smallest subtrees first. The last level may have fewer.
    for (long long reach = 1; reach < problem.p; reach *= radix) {
        for (long long i = 1; i < radix && i * reach < problem.p; ++i)
            children.push_back(
                {one_of_several(double(problem.bytes), leaving_tree(terrain, i * reach)), done.back()});
        branches = children;
        if (!up) std::reverse(branches.begin(), branches.end());
        done.push_back(up ? time_of_branches_up(branches, window_of(up))
                          : time_of_branches_down(branches, window_of(up)));
    }
    return done.back();
}

const MultiplyingSchedule& RowTimes::schedule(const Problem& problem) {
    const auto [known, is_new] = schedules_.try_emplace({problem.p, std::string(problem.schedule)});
    if (is_new) known->second = multiplying_schedule(problem.schedule, problem.p);
    return known->second;
}

std::optional<Seconds> RowTimes::overlapping(const Algorithm& row, const Problem& problem, const Cost& cost,
                                             const Terrain& terrain) {
    const int p = problem.p;
    const bool up = row.collective == Collective::reduce;
    const double mean = cost.steps > 0 ? cost.volume / cost.steps : 0;

    const bool one_port = !machine_.inside_fan && !machine_.between_fan;
    if (row.name == "recursive_multiplying" && (!one_port || terrain.crossings() > 0)) {
        Seconds time = 0;
        int mask = 1;
        for (const MultiplyingStage& stage : schedule(problem)) {
            // Peers by the power of two of their distance: some in the node, others not.
            double near = 0, far = 0, leaving = 0;
            for (int away = 1, left = one_ported_rounds(stage); left > 0; left -= away, away *= 2) {
                const double out =
                    (long long)(away)*mask < p ? terrain.leaving(Reach::exchange, away * mask) : 0;
                (out > 0 ? far : near) += std::min(away, left);
                leaving = std::max(leaving, out);
            }
            time += std::max(time_of_fan(far, one_of_several(mean, leaving), p),
                             time_of_fan(near, one_of_several(mean, 0), p));
            if (stage.kind != MultiplyingStage::Kind::expand) mask *= stage.base;
        }
        return time;
    }
    if (one_port) return std::nullopt;
    switch (pattern_of(row)) {
        case Pattern::star: {
            // Segments, or a reduction and a broadcast, follow one another.
            const double turns = cost.steps / (p - 1), far = terrain.outsiders();
            const auto all = [&](double count, double leaving, double window) {
                return time_of_fan(count, one_of_several(mean, leaving), window);
            };
            const auto once = [&](double window) {
                return std::max(all(far, terrain.leaving(Reach::star, 0), window),
                                all(p - 1 - far, 0, window));
            };
            if (row.collective == Collective::allreduce)
                return turns / 2 * (once(double(window_of(true))) + once(double(window_of(false))));
            return turns * once(row.name == "linear" ? p : double(window_of(up)));
        }
        case Pattern::binomial:
        case Pattern::knomial:
        case Pattern::binary: {
            if (row.collective != Collective::reduce && row.collective != Collective::bcast)
                return std::nullopt;
            const Segments segments({0, problem.bytes}, problem.segment);
            const double more = double(segments.size()) - 1;
            Problem first = problem;
            first.bytes = segments.longest();
            if (pattern_of(row) == Pattern::binary) {
                // The way to the last leaf: first children alone where the heap ends with one, else second.
                const double flow = tree_flow(row, terrain);
                const int depth = floor_log2(p), full = floor_log2(p + 1) - 1;
                const int near = std::min(depth, floor_log2(std::max(1, p - terrain.outsiders())));
                const bool leaves = terrain.crossings() > 0;
                const FanMessage far_one = one_of_several(double(first.bytes), leaves ? flow : 0),
                                 near_one = one_of_several(double(first.bytes), 0);
                const auto way = [&](int levels, bool second) {
                    const int inside = leaves ? std::min(levels, near) : levels;
                    const auto step = [&](const FanMessage& one) {
                        return one.alone + (second ? one.behind : one.crowding);
                    };
                    return inside * step(near_one) + (levels - inside) * step(far_one);
                };
                return std::max(way(depth, false), way(full, true)) +
                       more * time_of_fan(2, far_one, double(window_of(up)));
            }
            const int radix = pattern_of(row) == Pattern::knomial ? problem.radix : 2;
            Seconds pace = 0;
            if (more > 0) {
                int children = 0;
                double leaving = 0;
                for (long long reach = 1; reach < p; reach *= radix) {
                    children += int(std::min<long long>(radix - 1, (p - 1) / reach));
                    const long long farthest = (radix - 1) * reach;
                    leaving = std::max(leaving, leaving_tree(terrain, farthest < p ? farthest : reach));
                }
                pace = time_of_fan(children, one_of_several(double(first.bytes), leaving),
                                   double(window_of(up)));
            }
            return tree(first, radix, up, terrain) + more * pace;
        }
        default:
            return std::nullopt;
    }
}

}  // namespace echelon
