// SPDX-License-Identifier: Apache-2.0
#include "core/checker.hpp"

#include "core/replay.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// The input of each rank and the result that each rank must get, for every collective.
class Contract {
public:
    Contract(const Claim& claim, int p)
        : claim_(claim),
          p_(p),
          blocks_(claim.starts.empty() ? Blocks(claim.count, claim.blocks == 0 ? p : claim.blocks)
                                       : Blocks({0, claim.count}, claim.starts)) {
        for (int rank = 0; rank < p && !claim.lengths.empty(); ++rank) {
            sent_.push_back(row(std::size_t(rank) * std::size_t(p), 1));
            received_.push_back(row(std::size_t(rank), std::size_t(p)));
            most_ = std::max(most_, received_.back().whole().count);
        }
    }

    /// No rank gets an element of a higher number.
    std::size_t count() const { return received_.empty() ? claim_.count : most_; }

    SymbolicMemory input(int rank, const Expressions& expressions, std::size_t scratch) const {
        SymbolicMemory memory;
        auto& [data, input, temporary] = memory;
        data.resize(claim_.count);
        temporary.resize(scratch);
        const auto own = [&](std::size_t element) {
            return Symbol{expressions.leaf(rank), std::uint32_t(element)};
        };
        const auto fill = [&](std::vector<Symbol>& into, const Slice& slice) {
            for (std::size_t e = slice.offset; e < slice.end(); ++e) into[e] = own(e);
        };
        switch (claim_.collective) {
            case Collective::bcast:
            case Collective::scatter:
                if (rank == claim_.root) fill(data, blocks_.whole());
                break;
            case Collective::allgather:
            case Collective::gather:
                fill(data, blocks_[rank]);
                break;
            case Collective::alltoall:
                if (!received_.empty()) data.resize(received_[std::size_t(rank)].whole().count);
                input.resize(sent_.empty() ? claim_.count : sent_[std::size_t(rank)].whole().count);
                fill(input, {0, input.size()});
                break;
            default:
                fill(data, blocks_.whole());
        }
        return memory;
    }

    /// True if rank `rank` gets element `element`.
    bool gets(int rank, std::size_t element) const {
        const auto inside = [&](const Slice& slice) {
            return slice.offset <= element && element < slice.end();
        };
        switch (claim_.collective) {
            case Collective::barrier:
                return false;
            case Collective::reduce:
            case Collective::gather:
                return rank == claim_.root;
            case Collective::reduce_scatter:
            case Collective::scatter:
                return inside(blocks_[rank]);
            case Collective::exscan:
                return rank > 0;
            case Collective::alltoall:
                return received_.empty() || element < received_[std::size_t(rank)].whole().count;
            default:
                return true;
        }
    }

    /// The fault in the value that rank `rank` got for `element`; empty if it is correct.
    std::string wrong(int rank, std::size_t element, const Symbol& got,
                      const Expressions& expressions) const {
        const auto is_from = [&](int owner, std::size_t expected) {
            return got == Symbol{expressions.leaf(owner), std::uint32_t(expected)}
                       ? ""
                       : "should be that of rank " + std::to_string(owner);
        };
        switch (claim_.collective) {
            case Collective::bcast:
            case Collective::scatter:
                return is_from(claim_.root, element);
            case Collective::gather:
            case Collective::allgather:
                return is_from(owner(element), element);
            case Collective::alltoall: {
                if (!received_.empty()) {
                    const Blocks& received = received_[std::size_t(rank)];
                    int from = 0;
                    while (received[from].end() <= element) ++from;
                    return is_from(from,
                                   sent_[std::size_t(from)][rank].offset + element - received[from].offset);
                }
                const std::size_t each = claim_.count / std::size_t(p_);
                return is_from(int(element / each), std::size_t(rank) * each + element % each);
            }
            default:
                break;
        }
        const int last = claim_.collective == Collective::scan     ? rank + 1
                         : claim_.collective == Collective::exscan ? rank
                                                                   : p_;
        if (got.element != element) return "belongs to element " + std::to_string(got.element);
        if (!expressions.complete(got.value, last)) return "should have each contribution exactly once";
        if (claim_.in_order && !expressions.in_rank_order(got.value, 0, last))
            return "should be in rank order";
        return {};
    }

    /// True if all ranks that get an element must get the same bits.
    bool compares() const { return claim_.same_bits && claim_.collective == Collective::allreduce; }

private:
    int owner(std::size_t element) const {
        for (int r = 0; r < p_; ++r)
            if (element < blocks_[r].end()) return r;
        return p_ - 1;
    }

    /// Blocks of p of the claimed lengths: from number `first` on, every `stride`-th.
    Blocks row(std::size_t first, std::size_t stride) const {
        std::vector<std::size_t> starts{0};
        for (std::size_t i = 0; i < std::size_t(p_); ++i)
            starts.push_back(starts.back() + claim_.lengths[first + i * stride]);
        const std::size_t whole = starts.back();
        return {Slice{0, whole}, std::move(starts)};
    }

    Claim claim_;
    int p_;
    Blocks blocks_;
    std::vector<Blocks> sent_, received_;  // by rank, if they differ
    std::size_t most_ = 0;                 // elements that a rank receives
};

Verdict check(const Schedule& schedule, const Claim& claim, Ahead ahead) {
    const int p = schedule.size();
    const Contract contract(claim, p);
    Expressions expressions(p);
    std::vector<SymbolicMemory> memory;
    for (int r = 0; r < p; ++r)
        memory.push_back(contract.input(r, expressions, schedule.ranks[std::size_t(r)].scratch));

    const bool barrier = claim.collective == Collective::barrier;
    if (const auto failure = replay(schedule, expressions, memory, ahead, barrier)) return {*failure};

    for (std::size_t element = 0; element < contract.count(); ++element) {
        std::optional<Expressions::Id> first;
        for (int r = 0; r < p; ++r) {
            if (!contract.gets(r, element)) continue;
            const Symbol& got = memory[std::size_t(r)][0][element];
            const auto where = [&] {
                return "rank " + std::to_string(r) + ", element " + std::to_string(element) + ": " +
                       expressions.text(got.value) + ' ';
            };
            if (const auto wrong = contract.wrong(r, element, got, expressions); !wrong.empty())
                return {where() + wrong};
            if (!contract.compares()) continue;
            const auto association = expressions.association(got.value);
            if (first.value_or(association) != association)
                return {where() + "has other brackets than on another rank"};
            first = association;
        }
    }
    return {};
}

}  // namespace

Verdict check(const Schedule& schedule, const Claim& claim) {
    const Verdict verdict = check(schedule, claim, Ahead::first_strand);
    const bool one_strand = std::all_of(schedule.ranks.begin(), schedule.ranks.end(),
                                        [](const Program& program) { return program.strands.size() == 1; });
    return !verdict || one_strand ? verdict : check(schedule, claim, Ahead::last_strand);
}

}  // namespace echelon
