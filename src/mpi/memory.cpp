// SPDX-License-Identifier: Apache-2.0
#include "mpi/memory.hpp"

#include "mpi/combining_time.hpp"
#include "mpi/count.hpp"
#include "mpi/packing.hpp"

#include <algorithm>
#include <cstring>

namespace echelon {

void* Memory::Space::elements(const Element& element, std::size_t count) {
    const Bytes needed = element.span(count);
    if (needed > size) {
        bytes = std::make_unique_for_overwrite<std::byte[]>(needed);
        size = needed;
    }
    return bytes == nullptr ? nullptr : bytes.get() - element.lowest(count);
}

void Memory::begin(const Element& element, MPI_Op op, const Combination& combination, void* data,
                   const void* input, std::size_t scratch_elements) {
    element_ = element;
    op_ = op;
    combination_ = combination;
    base_ = {static_cast<std::byte*>(data), static_cast<std::byte*>(const_cast<void*>(input)),
             static_cast<std::byte*>(scratch_.elements(element, scratch_elements))};
    height = 0;
    exposures_ = 0;
    unwritten_.assign(0, 0);
}

void Memory::take(const void* from, std::size_t count) {
    given_ = static_cast<const std::byte*>(from);
    unwritten_.assign(0, from == base_[std::size_t(Buffer::data)] ? 0 : count);
}

void Memory::settle(const Slice& slice) {
    if (slice.buffer != Buffer::data || unwritten_.empty()) return;
    unwritten_.cut(slice.offset, slice.end(), [&](std::size_t begin, std::size_t end) {
        copy(at({begin, 0}), given(begin), end - begin);
    });
}

void Memory::settle() {
    if (!unwritten_.empty()) settle({0, unwritten_.all().back().end});
}

const void* Memory::readable(const Slice& slice) {
    if (slice.buffer != Buffer::data || unwritten_.empty() || slice.empty()) return at(slice);
    if (unwritten_.cover(slice.offset, slice.end())) return given(slice.offset);
    settle(slice);
    return at(slice);
}

void* Memory::writable(const Slice& slice) {
    if (slice.buffer == Buffer::data && !unwritten_.empty()) unwritten_.cut(slice.offset, slice.end());
    return at(slice);
}

void* Memory::working_vector(const Element& element, std::size_t count) {
    return vector_.elements(element, count);
}

void Memory::reduce(const Slice& into, const Slice& from, Side side) {
    if (combination_.kernel != nullptr) {
        // Kernels write no padding: copy the user's elements first, with theirs.
        if (element_.size != Bytes(element_.extent)) settle(into);
        const void* const other = readable(from);
        const void* const own = readable(into);
        void* const result = writable(into);
        if (side == Side::before)
            combination_.kernel(result, other, own, into.count);
        else
            combination_.kernel(result, own, other, into.count);
        charge_combining(into.count * element_.size);
    } else {
        settle(into);
        combine(at(into), static_cast<const std::byte*>(readable(from)), into.count * element_.repeat, side);
    }
}

void Memory::combine(std::byte* own, const std::byte* other, std::size_t items, Side side) {
    const Element item = element_.item();
    const auto call = [&](const void* in, void* inout, std::size_t count) {
        check(PMPI_Reduce_local(in, inout, int(count), item.type, op_), "MPI_Reduce_local");
    };
    if (combination_.commutative || side == Side::before) {
        for (std::size_t done = 0; done < items; done += most_elements) {
            const MPI_Aint skip = MPI_Aint(done) * item.extent;
            call(other + skip, own + skip, std::min(most_elements, items - done));
        }
        return;
    }
    // MPI_Reduce_local overwrites its right operand: combine into a copy, in pieces that stay in the cache.
    const std::size_t piece = std::max<std::size_t>((Bytes(1) << 15) / std::max<Bytes>(item.span(1), 1), 1);
    void* const right = swap_.elements(item, std::min(piece, items));
    for (std::size_t done = 0; done < items; done += piece) {
        const std::size_t count = std::min(piece, items - done);
        const MPI_Aint skip = MPI_Aint(done) * item.extent;
        copy_items(right, other + skip, count);
        call(own + skip, right, count);
        copy_items(own + skip, right, count);
    }
}

void Memory::lay_out(std::byte* into, const void* from, std::size_t count) {
    if (lies_as_in_window())
        std::memcpy(into, from, count * put_size());
    else
        pack(into, from, count * element_.repeat, element_.item(), loopback_);
}

void Memory::take_in(void* into, const std::byte* from, std::size_t count) {
    if (lies_as_in_window())
        std::memcpy(into, from, count * put_size());
    else
        unpack(into, from, count * element_.repeat, element_.item(), loopback_);
}

void Memory::put(std::byte* into, const Slice& from) {
    if (!from.empty()) lay_out(into, readable(from), from.count);
}

const std::byte* Memory::exposed(const Slice& what) {
    if (lies_as_in_window()) return static_cast<const std::byte*>(readable(what));
    if (exposures_ == exposed_.size()) exposed_.emplace_back();
    auto* const packed = static_cast<std::byte*>(
        exposed_[exposures_++].elements(element_of(MPI_BYTE), what.count * put_size()));
    put(packed, what);
    return packed;
}

std::byte* Memory::exposed_into(const Slice& into) {
    if (!element_.dense()) settle(into);
    return static_cast<std::byte*>(writable(into));
}

void Memory::get(const Slice& into, const std::byte* from) {
    if (into.empty()) return;
    if (!element_.dense()) settle(into);  // gaps stay as the user has them
    take_in(writable(into), from, into.count);
}

void Memory::fold(const Slice& into, std::span<const std::byte* const> operands) {
    if (into.empty() || operands.empty()) return;
    if (!element_.dense()) settle(into);
    if (operands.size() == 1) {
        if (operands.front() != nullptr) take_in(writable(into), operands.front(), into.count);
    } else if (combination_.kernel != nullptr) {
        fold_by_kernel(into, operands);
    } else {
        fold_by_library(into, operands);
    }
}

/// Combines piece by piece: the partial result stays in the nearest cache.
void Memory::fold_by_kernel(const Slice& into, std::span<const std::byte* const> operands) {
    constexpr Bytes near = Bytes(4) << 10;
    const Bytes extent = Bytes(element_.extent);
    const std::size_t piece = operands.size() == 2 ? into.count : near / extent;
    alignas(64) std::byte sum[near];
    const auto* const own = static_cast<const std::byte*>(readable(into));
    auto* const result = static_cast<std::byte*>(writable(into));
    for (std::size_t done = 0; done < into.count; done += piece) {
        const std::size_t count = std::min(piece, into.count - done);
        const auto operand = [&](std::size_t i) {
            return (operands[i] != nullptr ? operands[i] : own) + done * extent;
        };
        const std::byte* left = operand(0);
        for (std::size_t i = 1; i < operands.size(); ++i) {
            std::byte* const target = i + 1 == operands.size() ? result + done * extent : sum;
            combination_.kernel(target, left, operand(i), count);
            left = target;
        }
    }
}

/// MPI_Reduce_local overwrites its right operand: each operand is copied first.
void Memory::fold_by_library(const Slice& into, std::span<const std::byte* const> operands) {
    const Element item = element_.item();
    const std::size_t count = into.count, items = count * element_.repeat;
    std::array spaces{static_cast<std::byte*>(swap_.elements(element_, count)),
                      static_cast<std::byte*>(folded_.elements(element_, count))};
    const auto load = [&](void* to, const std::byte* operand) {
        if (operand != nullptr)
            take_in(to, operand, count);
        else
            copy_items(to, readable(into), items);
    };
    load(spaces[0], operands[0]);
    for (std::size_t i = 1; i < operands.size(); ++i) {
        load(spaces[1], operands[i]);
        check(PMPI_Reduce_local(spaces[0], spaces[1], int(items), item.type, op_), "MPI_Reduce_local");
        std::swap(spaces[0], spaces[1]);
    }
    copy_items(writable(into), spaces[0], items);
}

const void* Memory::copy_of(const Slice& slice) {
    void* const made = copy_.elements(element_, slice.count);
    copy(made, readable(slice), slice.count);
    return made;
}

void Memory::copy(const Slice& into, const Slice& from) {
    const void* const source = readable(from);
    copy(writable(into), source, into.count);
}

void Memory::copy(void* into, const void* from, std::size_t count) {
    copy_items(into, from, count * element_.repeat);
}

void Memory::hand_over(void* into, const Slice& from) {
    if (into == at(from))
        settle(from);
    else if (element_.padded())
        copy_data(into, readable(from), from.count);
    else
        copy(into, readable(from), from.count);
}

void Memory::copy_items(void* into, const void* from, std::size_t items) {
    if (items == 0 || into == from) return;
    const MPI_Aint extent = element_.item().extent;
    if (element_.plain)
        std::memcpy(into, from, items * Bytes(extent));
    else
        copy_data(into, from, items);
}

void Memory::copy_data(void* into, const void* from, std::size_t items) {
    const Element item = element_.item();
    const std::size_t piece = std::max<std::size_t>((Bytes(1) << 15) / std::max<Bytes>(item.size, 1), 1);
    void* const packed = packed_.elements(element_of(MPI_BYTE), std::min(piece, items) * item.size);
    for (std::size_t done = 0; done < items; done += piece) {
        const std::size_t part = std::min(piece, items - done);
        const MPI_Aint skip = MPI_Aint(done) * item.extent;
        pack(packed, static_cast<const std::byte*>(from) + skip, part, item, loopback_);
        unpack(static_cast<std::byte*>(into) + skip, packed, part, item, loopback_);
    }
}

}  // namespace echelon
