// SPDX-License-Identifier: Apache-2.0
#include "flat/circulant_schedule.hpp"

#include "core/ranks.hpp"
#include "flat/circular_blocks.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// skips[k] for k = 0 .. q, ascending; skips[q] = p.
std::vector<int> ascending_skips(int p) {
    std::vector<int> skips = circulant_skips(p);
    std::reverse(skips.begin(), skips.end());
    return skips;
}

/// The blocks that a rank receives in the rounds 0 .. q-1 of a phase; negative ones belong to the phase
/// before.
///
/// Rank r gets its first new block, its base block, along the greedy path of skips that sum to r. The other
/// rounds bring the blocks of ranks on whose paths r - skip lies. A depth-first search over the unused skips
/// finds them in O(log p) steps in all.
class ReceiveSchedule {
public:
    ReceiveSchedule(const std::vector<int>& skips, int rank)
        : skips_(skips),
          q_(int(skips.size()) - 1),
          target_(skips.back() + rank),
          shorter_(skips.size()),
          longer_(skips.size()) {
        for (int e = 0; e <= q_; ++e) {
            shorter_[at(e)] = e - 1;
            longer_[at(e)] = e + 1;
        }
        const int base = base_block(rank);
        unlink(base);
        search(0, 2 * skips_.back(), q_);
        for (int& block : found_) block = block == q_ ? base : block - q_;
    }
    std::vector<int> blocks() && { return std::move(found_); }

private:
    static std::size_t at(int i) { return std::size_t(i); }

    int base_block(int rank) const {
        for (int k = q_ - 1; k >= 0; --k) {
            if (skips_[at(k)] == rank) return k;
            if (skips_[at(k)] < rank) rank -= skips_[at(k)];
        }
        return q_;
    }
    /// Removes a skip from the list of unused ones. It keeps its successor, for searches under way.
    void unlink(int e) {
        if (longer_[at(e)] <= q_) shorter_[at(longer_[at(e)])] = shorter_[at(e)];
        if (shorter_[at(e)] >= 0) longer_[at(shorter_[at(e)])] = longer_[at(e)];
    }
    /// Follows paths from `sum` on with skip e or shorter ones.
    void search(int sum, int limit, int e) {
        const auto round = [&] { return int(found_.size()); };
        const auto reachable = [&](int from, int k) { return from <= target_ - skips_[at(k)]; };
        for (; e != -1; e = shorter_[at(e)]) {
            const int reached = sum + skips_[at(e)];
            if (round() >= q_ || !reachable(reached, round()) || reached >= limit) continue;
            if (reachable(reached, round() + 1)) search(reached, limit, e);
            if (round() >= q_ || !reachable(sum, round() + 1)) return;
            limit = reached;
            found_.push_back(e);
            unlink(e);
        }
    }

    const std::vector<int>& skips_;
    int q_, target_;
    std::vector<int> shorter_, longer_;
    std::vector<int> found_;
};

}  // namespace

CirculantSchedule::CirculantSchedule(int p, int rank, int blocks)
    : p_(p), rank_(rank), blocks_(blocks), phase_(ceil_log2(p)), skips_(ascending_skips(p)) {
    if (phase_ == 0) return;
    skipped_ = (phase_ - (blocks - 1) % phase_) % phase_;
    receives_ = ReceiveSchedule(skips_, rank).blocks();
    for (int k = 0; k < phase_; ++k) {
        const int to = wrap(rank + skips_[std::size_t(k)], p);
        sends_.push_back(ReceiveSchedule(skips_, to).blocks()[std::size_t(k)]);
    }
}

int CirculantSchedule::rounds() const { return phase_ == 0 ? 0 : blocks_ - 1 + phase_; }

int CirculantSchedule::to(int round) const { return wrap(rank_ + skip(round), p_); }

int CirculantSchedule::from(int round) const { return wrap(rank_ - skip(round), p_); }

std::optional<int> CirculantSchedule::sent(int round) const {
    return to(round) == 0 ? std::nullopt : block(sends_, round);
}

std::optional<int> CirculantSchedule::received(int round) const {
    return rank_ == 0 ? std::nullopt : block(receives_, round);
}

int CirculantSchedule::skip(int round) const { return skips_[std::size_t((round + skipped_) % phase_)]; }

std::optional<int> CirculantSchedule::block(const std::vector<int>& schedule, int round) const {
    const int i = round + skipped_;
    const int number = schedule[std::size_t(i % phase_)] + i / phase_ * phase_ - skipped_;
    return number < 0 ? std::nullopt : std::optional(std::min(number, blocks_ - 1));
}

int circulant_depth(int p) { return is_power_of_two(p) ? floor_log2(p) : std::max(1, ceil_log2(p) - 2); }

}  // namespace echelon
