// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/fold.hpp"
#include "core/link.hpp"
#include "core/ranks.hpp"
#include "flat/bine.hpp"
#include "flat/butterfly.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace echelon {

/// Partners and parts of a butterfly on a circle of an even number of ranks, or of one rank, which halves a
/// vector of as many parts, near partners first. Read backwards it is the doubling.
///
///   4 ranks      rank 0     rank 1     rank 2     rank 3
///   step 0       parts 01   parts 23   parts 23   parts 01     (taken; distance 1: partner 1, 0, 3, 2)
///   step 1       part 0     part 2     part 3     part 1       (distance -1: partner 3, 2, 1, 0)
///
/// A rank takes each part of a rank that it can still reach by the later distances. If p is a multiple of
/// 2^a, these ranks are whole classes modulo 2, 4, .. 2^(a-1) in the first a - 1 steps, and such a class ends
/// with neighbouring parts. In the other steps a message may hold several ranges of parts.
///
/// Operands do not stay in rank order: ranges of ranks pass the end of the circle.
class BineButterfly {
public:
    BineButterfly(int size, int rank)
        : size_(size), odd_(size >> std::countr_zero(unsigned(size))), rank_(rank) {
        find_meetings();
    }

    int steps() const { return ceil_log2(size_); }
    int peer(int step) const { return at(bine_distance(step)); }
    /// Ranges of parts whose operands the rank receives in a step of halving, ascending; and of those that it
    /// gives.
    std::vector<PartRange> taken(int step) const {
        if (step < halvings()) return {half(rank_, step)};
        return parts_at(meetings_[std::size_t(step - halvings())]);
    }
    std::vector<PartRange> given(int step) const {
        if (step < halvings()) return {half(peer(step), step)};
        std::vector<int> offsets = meetings_[std::size_t(step - halvings())];
        for (int& offset : offsets) offset = wrap(wrap(bine_distance(step), size_) - offset, size_);
        return parts_at(offsets);
    }
    /// The part that the rank ends with.
    int part() const { return part_of(rank_); }
    /// The rank that ends with the part of this rank's number.
    int holder() const {
        unsigned digits = 0;
        for (unsigned moves = reversed(unsigned(rank_ / odd_)); moves != 0; moves >>= 1) digits ^= moves;
        const unsigned number = (digits ^ negative) - negative, low = digits % 2 == 1 ? number : 0 - number;
        return int(low & unsigned(classes() - 1)) + rank_ % odd_ * classes();
    }

private:
    /// The binary places that count negatively in negabinary numbers.
    static constexpr unsigned negative = 0xAAAAAAAA;

    /// The power of two in the number of ranks. Ranks that are equal modulo `classes` end with neighbouring
    /// parts.
    int classes() const { return size_ / odd_; }
    /// Steps after which a rank works on half of the parts that it had.
    int halvings() const { return std::max(floor_log2(classes()) - 1, 0); }

    /// The rank at a distance if this rank is even, or at its mirror image.
    int at(int distance) const { return wrap(rank_ + (rank_ % 2 == 0 ? distance : -distance), size_); }

    PartRange half(int rank, int step) const {
        const int width = size_ >> (step + 1);
        return {part_of(rank) / width * width, width};
    }
    /// The Gray code of the negabinary digits of an odd rank, or of an even one's negative, says in which
    /// steps rank 0 reaches its class. The first step counts most in the number of the class's parts.
    int part_of(int rank) const {
        const auto number = unsigned(rank % 2 == 1 ? rank : -rank);
        const unsigned digits = ((number + negative) ^ negative) & unsigned(classes() - 1);
        return int(reversed(digits ^ (digits >> 1))) * odd_ + rank / classes();
    }
    unsigned reversed(unsigned bits) const {
        unsigned made = 0;
        for (int bit = 1; bit < classes(); bit *= 2) made = 2 * made + ((bits & unsigned(bit)) != 0 ? 1 : 0);
        return made;
    }

    std::vector<PartRange> parts_at(const std::vector<int>& offsets) const {
        std::vector<int> parts;
        for (const int offset : offsets) parts.push_back(part_of(at(offset)));
        std::sort(parts.begin(), parts.end());
        std::vector<PartRange> ranges;
        for (const int part : parts) {
            if (ranges.empty() || ranges.back().end() != part) ranges.push_back({part, 0});
            ++ranges.back().count;
        }
        return ranges;
    }

    /// In the doubling, which begins with the last step, a partner sends the parts that the receiver lacks.
    /// If a class has no power of two of ranks, the receiver has got some of them before.
    void find_meetings() {
        if (size_ == 1) return;
        meetings_.resize(std::size_t(steps() - halvings()));
        std::vector<int> held{0};
        std::vector<bool> is_held(std::size_t(size_), false);
        is_held[0] = true;
        for (int step = steps() - 1; step >= halvings(); --step) {
            const int distance = wrap(bine_distance(step), size_);
            auto& sent = meetings_[std::size_t(step - halvings())];
            for (const int offset : held)
                if (!is_held[std::size_t(wrap(distance - offset, size_))]) sent.push_back(offset);
            for (const int offset : sent) {
                held.push_back(wrap(distance - offset, size_));
                is_held[std::size_t(held.back())] = true;
            }
        }
    }

    int size_;
    int odd_;
    int rank_;
    /// For each step after the halvings: distances, as for an even rank, of the ranks whose parts are taken.
    std::vector<std::vector<int>> meetings_;
};

/// Ranges of parts as one message. `parts.range(first, last)` is the slice of parts first .. last-1.
class JoinedParts {
public:
    template <class Parts>
    JoinedParts(const Parts& parts, const std::vector<PartRange>& ranges) {
        for (const PartRange& range : ranges) {
            slices_.push_back(parts.range(range.first, range.end()));
            count_ += slices_.back().count;
        }
    }

    std::size_t count() const { return count_; }
    /// Memory for the message: the vector itself if there is one range.
    Slice memory(Scratch& scratch) const { return slices_.size() == 1 ? slices_[0] : scratch(count_); }
    /// Copies the ranges to their message, or back.
    void pack(Link& link, Slice message) const {
        if (slices_.size() > 1) each(message, [&](Slice range, Slice copy) { link.copy(copy, range); });
    }
    void unpack(Link& link, Slice message) const {
        if (slices_.size() > 1) each(message, [&](Slice range, Slice copy) { link.copy(range, copy); });
    }
    void reduce(Link& link, Slice operands) const {
        each(operands, [&](Slice range, Slice operand) { link.reduce(range, operand, Side::after); });
    }

private:
    template <class Work>
    void each(Slice message, Work&& work) const {
        std::size_t at = 0;
        for (const Slice& range : slices_) {
            work(range, message.part(at, range.count));
            at += range.count;
        }
    }

    std::vector<Slice> slices_;
    std::size_t count_ = 0;
};

/// Halving: a rank ends with the result of its part. Ranks of the butterfly are virtual ranks of the fold.
template <class Parts>
void halve(Link& link, const Fold& fold, const BineButterfly& butterfly, const Parts& parts) {
    for (int step = 0; step < butterfly.steps(); ++step) {
        const int peer = fold.rank(butterfly.peer(step));
        const JoinedParts taken(parts, butterfly.taken(step)), given(parts, butterfly.given(step));
        Scratch scratch(link);
        const Slice operands = scratch(taken.count()), sent = given.memory(scratch);
        given.pack(link, sent);
        link.exchange(peer, sent, peer, operands);
        taken.reduce(link, operands);
    }
}

/// Steps of halving in which a rank takes its own part; in the others, one at most, its peer has given it
/// before.
constexpr int bine_steps_with_own_part(int size) {
    if (size == 1) return 0;
    const int powers = std::countr_zero(unsigned(size)), steps = ceil_log2(size);
    const int reached = (1 << steps) / 2 >> powers, all = size >> powers;  // of each class
    return all - reached <= reached / 3 && all > 1 ? steps - 1 : steps;
}

/// Doubling, the reverse of halve(): a rank that has its part gets the whole vector.
template <class Parts>
void double_up(Link& link, const Fold& fold, const BineButterfly& butterfly, const Parts& parts) {
    for (int step = butterfly.steps() - 1; step >= 0; --step) {
        const int peer = fold.rank(butterfly.peer(step));
        const JoinedParts taken(parts, butterfly.taken(step)), given(parts, butterfly.given(step));
        Scratch scratch(link);
        const Slice sent = taken.memory(scratch), received = given.memory(scratch);
        taken.pack(link, sent);
        link.exchange(peer, sent, peer, received);
        given.unpack(link, received);
    }
}

}  // namespace echelon
