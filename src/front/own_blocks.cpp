// SPDX-License-Identifier: Apache-2.0
// Collectives whose ranks know only their own blocks: gatherv, scatterv, alltoallv. A recipe that forwards
// blocks begins with a program of numbers (hier/lengths.hpp).
#include "front/block_arguments.hpp"
#include "front/front_door.hpp"
#include "front/nonblocking.hpp"
#include "hier/lengths.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace echelon {
namespace {

/// The key of a call without a common size.
template <class Call>
PlanKey own_blocks_key(const Call& call, int root = 0) {
    PlanKey key = bytes_key(call.collective, 0, root);
    key.lengths = BlockLengths::own;
    return key;
}

/// gatherv and scatterv: the root's blocks, and the lengths that this rank knows.
class RootedBlocks final : public OwnBlocks {
public:
    /// A rank that is not the root.
    RootedBlocks(int p, int rank, const Items& own) : lengths_(std::size_t(p)) {
        lengths_[std::size_t(rank)] = own.bytes();
    }
    explicit RootedBlocks(BlockItems all) : all_(std::move(all)) {
        for (int r = 0; r < all_->size(); ++r) lengths_.push_back((*all_)[r].bytes());
    }

    /// The blocks in the root's buffer. Requires: this rank is the root.
    const BlockItems& all() const { return *all_; }
    Bytes length(int rank) const { return lengths_[std::size_t(rank)]; }
    /// True if the root's buffer has the lengths that arrive.
    bool fit() const {
        for (int r = 0; r < all_->size(); ++r)
            if ((*all_)[r].bytes() != length(r)) return false;
        return true;
    }

    Bytes estimated_bytes() const override {
        if (!all_) return lengths_.size() * std::ranges::max(lengths_);
        return std::ranges::min(lengths_) == 0 ? 0 : std::reduce(lengths_.begin(), lengths_.end());
    }
    GivenBlocks known() const override {
        std::vector<std::size_t> starts{0};
        for (const Bytes length : lengths_) starts.push_back(starts.back() + length);
        const std::size_t total = starts.back();
        return {Blocks({0, total}, std::move(starts))};
    }
    void ask(const Numbers& numbers, Memory& memory) const override {
        std::byte* const vector = working_bytes(memory, numbers.bytes);
        std::memset(vector, 0xFF, numbers.bytes);  // no rank, where nothing arrives
        auto* const lengths = reinterpret_cast<BlockLength*>(vector);
        for (std::size_t r = 0; r < lengths_.size(); ++r) lengths[r] = {r, lengths_[r]};
        memory.begin(element_of(MPI_BYTE), MPI_OP_NULL, {}, vector, nullptr, numbers.program->scratch);
    }
    GivenBlocks answer(const Numbers& numbers, Memory& memory) override {
        const auto* const lengths = reinterpret_cast<const BlockLength*>(memory.data());
        enter_received({lengths + lengths_.size(), lengths + numbers.bytes / sizeof(BlockLength)}, lengths_);
        return known();
    }

private:
    std::optional<BlockItems> all_;
    std::vector<Bytes> lengths_;  // by rank
};

void check_fit(const char* what, bool fits) {
    if (!fits)
        throw WrongArgument(MPI_ERR_TRUNCATE,
                            std::string(what) + " has room for blocks of other lengths than arrive");
}

template <class Count, class How>
int serve(const calls::Gatherv<Count>& call, const How& how) {
    State* const state = state_for_rooted(call);
    if (state == nullptr) return how.native(call);
    const int p = state->size(), rank = state->rank();
    const bool at_root = rank == call.root, in_place = call.own().data == MPI_IN_PLACE;
    if (!in_place) check_buffer(call.own(), "gatherv: the send buffer");
    if (at_root) check_blocks(call.all(), p, "gatherv: the receive buffer");
    const auto keep = [&](const Items& items) { return how.kept(items); };
    std::optional<BlockItems> to;
    if (at_root) to.emplace(call.all(), p).change(keep);
    const Items from = in_place ? (*to)[rank] : keep(Items(call.own()));
    if (at_root && !in_place && from.bytes() > 0 && refused_alias(from, (*to)[rank]))
        return bypassed(call, *state, how);
    if (at_root) check_room("gatherv: a block of the receive buffer", (*to)[rank].bytes(), from.bytes());
    const auto own =
        to ? std::make_shared<RootedBlocks>(std::move(*to)) : std::make_shared<RootedBlocks>(p, rank, from);

    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(from, at_root ? own->all()[rank] : from, memory);
        const Slice block = plan.given->blocks[rank];
        std::byte* const data =
            at_root
                ? own->fit() ? own->all().room(memory)
                             : working_bytes(memory, plan.given->blocks.whole().count)
                : (plan.writes_data ? working_bytes(memory, block.count) : from.room(memory)) - block.offset;
        if (block.count > 0) from.copy_to(data + block.offset, memory);
        begin_bytes(plan, memory, data);
    };
    const auto end = [=](Memory& memory) {
        if (!at_root) return;
        check_fit("gatherv: the receive buffer", own->fit());
        own->all().copy_from(memory.data(), memory);
    };
    return how.by_plan(call, *state, own_blocks_key(call, call.root), begin, end, nullptr, own);
}

template <class Count, class How>
int serve(const calls::Scatterv<Count>& call, const How& how) {
    State* const state = state_for_rooted(call);
    if (state == nullptr) return how.native(call);
    const int p = state->size(), rank = state->rank();
    const bool at_root = rank == call.root, in_place = call.own().data == MPI_IN_PLACE;
    if (!in_place) check_buffer(call.own(), "scatterv: the receive buffer");
    if (at_root) check_blocks(call.all(), p, "scatterv: the send buffer");
    const auto keep = [&](const Items& items) { return how.kept(items); };
    std::optional<BlockItems> from;
    if (at_root) from.emplace(call.all(), p).change(keep);
    const Items to = in_place ? (*from)[rank] : keep(Items(call.own()));
    if (at_root && !in_place && to.bytes() > 0 && refused_alias((*from)[rank], to))
        return bypassed(call, *state, how);
    if (at_root) check_room("scatterv: the receive buffer", to.bytes(), (*from)[rank].bytes());
    const auto own =
        from ? std::make_shared<RootedBlocks>(std::move(*from)) : std::make_shared<RootedBlocks>(p, rank, to);

    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(to, at_root ? own->all()[rank] : to, memory);
        const Slice block = plan.given->blocks[rank];
        if (!at_root) {
            std::byte* const data =
                block.count == to.bytes() ? to.room(memory) : working_bytes(memory, block.count);
            return begin_bytes(plan, memory, data - block.offset);
        }
        // The root only reads its vector.
        std::byte* const data = own->all().room(memory);
        own->all().copy_to(data, memory);
        begin_bytes(plan, memory, data);
    };
    const auto end = [=](Memory& memory) {
        const Slice block = own->known().blocks[rank];
        if (!at_root) check_fit("scatterv: the receive buffer", block.count == to.bytes());
        if ((at_root && in_place) || block.count == 0) return;
        Items mine = to;
        mine.count = block.count / std::max<Bytes>(to.element.size, 1);
        mine.copy_from(memory.data() + block.offset, memory);
    };
    return how.by_plan(call, *state, own_blocks_key(call, call.root), begin, end, nullptr, own);
}

/// alltoallv: the blocks that this rank sends and receives, and the length to which they are padded.
class ExchangedBlocks final : public OwnBlocks {
public:
    ExchangedBlocks(BlockItems from, BlockItems to) : from(std::move(from)), to(std::move(to)) {}
    const BlockItems from, to;

    /// With the padding, if this rank knows the longest block.
    Bytes estimated_bytes() const override {
        const int p = to.size();
        for (int r = 0; r < p; ++r)
            if (from[r].count == 0 || to[r].count == 0) return 0;
        const LongestBlock longest = longest_here();
        return longest.is_padded(p) ? Bytes(p) * longest.block : longest.rank;
    }
    GivenBlocks known() const override { return {to.blocks(), from.blocks(Buffer::input)}; }
    void ask(const Numbers& numbers, Memory& memory) const override {
        static const Element number = element_of(MPI_UINT64_T);
        auto* const own =
            static_cast<LongestBlock*>(memory.working_vector(number, numbers.bytes / number.size));
        *own = longest_here();
        memory.begin(number, MPI_MAX, combination_of(MPI_MAX, number), own, nullptr,
                     numbers.program->scratch);
    }
    GivenBlocks answer(const Numbers& /*numbers*/, Memory& memory) override {
        const auto& longest = *reinterpret_cast<const LongestBlock*>(memory.data());
        const int p = to.size();
        padded_ = longest.is_padded(p);
        length_ = longest.block;
        return padded_ ? GivenBlocks{Blocks(Bytes(p) * length_, p)} : known();
    }

    void begin_padded(const Plan& plan, Memory& memory) const {
        const Bytes all = length_ * Bytes(to.size());
        std::byte* const input = working_bytes(memory, 2 * all);
        for (int r = 0; r < to.size(); ++r)
            if (from[r].count > 0) from[r].copy_to(input + length_ * Bytes(r), memory);
        begin_bytes(plan, memory, input + all, input);
    }
    void end(Memory& memory) const {
        if (!padded_) return to.copy_from(memory.data(), memory);
        for (int r = 0; r < to.size(); ++r)
            if (to[r].count > 0) to[r].copy_from(memory.data() + length_ * Bytes(r), memory);
    }

private:
    LongestBlock longest_here() const {
        LongestBlock found{0, std::max(from.bytes(), to.bytes())};
        for (const BlockItems* items : {&from, &to})
            for (int r = 0; r < items->size(); ++r)
                found.block = std::max<std::uint64_t>(found.block, (*items)[r].bytes());
        return found;
    }

    bool padded_ = false;
    Bytes length_ = 0;
};

template <class Count, class How>
int serve(const calls::Alltoallv<Count>& call, const How& how) {
    const bool in_place = call.in_place();
    State* const state = state_for(
        call, call.out.data != MPI_IN_PLACE && (in_place || described(call.in)) && described(call.out));
    if (state == nullptr) return how.native(call);
    const int p = state->size();
    check_blocks(call.out, p, "alltoallv: the receive buffer");
    if (!in_place) check_blocks(call.in, p, "alltoallv: the send buffer");
    const bool aliased = !in_place && refused_alias(call.in, call.out);
    if (!are_allowed(call.out, p) || (!in_place && !are_allowed(call.in, p)) || aliased)
        return bypassed(call, *state, how);
    const auto keep = [&](const Items& items) { return how.kept(items); };
    BlockItems to(call.out, p);
    to.change(keep);
    BlockItems from = in_place ? to : BlockItems(call.in, p);
    if (!in_place) from.change(keep);
    const auto own = std::make_shared<ExchangedBlocks>(std::move(from), std::move(to));

    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(own->from[0], own->to[0], memory);
        if (!plan.given->sent) return own->begin_padded(plan, memory);
        // Input and output must not overlap.
        const bool overlap = in_place || call.in.data == call.out.data;
        const std::byte* const sent = overlap ? nullptr : own->from.in_a_row();
        std::byte* const received = own->to.in_a_row();
        const Bytes packed = sent == nullptr ? own->from.bytes() : 0,
                    unpacked = received == nullptr ? own->to.bytes() : 0;
        std::byte* const working = packed + unpacked > 0 ? working_bytes(memory, packed + unpacked) : nullptr;
        if (sent == nullptr) own->from.copy_to(working, memory);
        begin_bytes(plan, memory, received != nullptr ? received : working + packed,
                    sent != nullptr ? sent : working);
    };
    const auto end = [=](Memory& memory) { own->end(memory); };
    return how.by_plan(call, *state, own_blocks_key(call), begin, end, nullptr, own);
}

}  // namespace

ECHELON_SERVE(Gatherv<int>)
ECHELON_SERVE(Gatherv<MPI_Count>)
ECHELON_SERVE(Scatterv<int>)
ECHELON_SERVE(Scatterv<MPI_Count>)
ECHELON_SERVE(Alltoallv<int>)
ECHELON_SERVE(Alltoallv<MPI_Count>)

}  // namespace echelon
