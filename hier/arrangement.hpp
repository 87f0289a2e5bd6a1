// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/link.hpp"
#include "flat/algorithm.hpp"
#include "groups/partition.hpp"

#include <vector>

namespace echelon {

/// The blocks of all ranks side by side in the order that a shape needs: group after group, or position after
/// position (lane after lane). Each group or lane is a run.
///
///   groups 0+2+4 ; 1+3        by group   0 2 4 | 1 3        by rank   0 1 2 3 4
class Arrangement {
public:
    static Arrangement by_group(const Partition& partition, const Blocks& blocks) {
        Arrangement made(blocks);
        for (int group = 0; group < partition.group_count(); ++group) made.add_run(partition.members(group));
        return made;
    }
    /// Requires: a uniform partition.
    static Arrangement by_position(const Partition& partition, const Blocks& blocks) {
        Arrangement made(blocks);
        for (int position = 0; position < partition.largest(); ++position)
            made.add_run(partition.positions(position));
        return made;
    }

    /// True if this is the order of the ranks: blocks need not be moved.
    bool is_by_rank() const { return by_rank_; }
    std::size_t count() const { return starts_.back(); }
    std::size_t count(int run) const { return run_starts_[at(run) + 1] - run_starts_[at(run)]; }

    /// All runs, at their places in `all`. It may contain places that do not exist (around_run()).
    Blocks runs(const Slice& all) const { return {all, run_starts_}; }
    /// The blocks of a run that lies in `there`.
    Blocks blocks(int run, const Slice& there) const {
        std::vector<std::size_t> starts;
        for (int i = firsts_[at(run)]; i <= firsts_[at(run) + 1]; ++i)
            starts.push_back(starts_[at(i)] - run_starts_[at(run)]);
        return {there, std::move(starts)};
    }
    /// A slice of `count` elements that contains `part` from its element `from` on; only `part` exists.
    static Slice around(const Slice& part, std::size_t from, std::size_t count) {
        return {part.offset - from, count, part.buffer};
    }
    /// A slice for blocks() of which only block `i` exists, in `own`.
    Slice around_block(int run, int i, const Slice& own) const {
        return around(own, starts_[at(firsts_[at(run)] + i)] - run_starts_[at(run)], count(run));
    }
    /// A slice for runs() of which only run `run` exists, in `own`.
    Slice around_run(int run, const Slice& own) const { return around(own, run_starts_[at(run)], count()); }

    /// Copies all blocks of the vector into this order, and back.
    void arrange(Link& link, const Slice& all) const {
        for (std::size_t i = 0; i < ranks_.size(); ++i)
            link.copy(all.part(starts_[i], starts_[i + 1] - starts_[i]), by_rank_blocks_[ranks_[i]]);
    }
    void restore(Link& link, const Slice& all) const {
        for (std::size_t i = 0; i < ranks_.size(); ++i)
            link.copy(by_rank_blocks_[ranks_[i]], all.part(starts_[i], starts_[i + 1] - starts_[i]));
    }

private:
    explicit Arrangement(const Blocks& blocks) : by_rank_blocks_(blocks) {}
    static std::size_t at(int i) { return std::size_t(i); }

    template <class Ranks>
    void add_run(const Ranks& ranks) {
        for (const int rank : ranks) {
            by_rank_ = by_rank_ && rank == int(ranks_.size());
            ranks_.push_back(rank);
            starts_.push_back(starts_.back() + by_rank_blocks_[rank].count);
        }
        firsts_.push_back(int(ranks_.size()));
        run_starts_.push_back(starts_.back());
    }

    Blocks by_rank_blocks_;
    bool by_rank_ = true;
    std::vector<int> ranks_;              // in this order
    std::vector<std::size_t> starts_{0};  // of each of them
    std::vector<int> firsts_{0};          // the first of each run
    std::vector<std::size_t> run_starts_{0};
};

}  // namespace echelon
