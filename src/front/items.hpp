// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "front/serve.hpp"
#include "mpi/packing.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace echelon {

inline std::byte* working_bytes(Memory& memory, Bytes bytes) {
    return static_cast<std::byte*>(memory.working_vector(element_of(MPI_BYTE), bytes));
}

/// A block in a user's buffer, or several blocks side by side: `count` elements of a datatype.
struct Items {
    /// Requires: the type is not null.
    explicit Items(const UserBuffer& buffer)
        : address(static_cast<std::byte*>(buffer.writable())),
          count(std::size_t(buffer.count)),
          element(element_of(buffer.type)),
          named(buffer.type) {}

    Bytes bytes() const { return element.bytes(count); }
    /// True if the bytes are consecutive, like in messages.
    bool dense() const { return element.dense(); }
    /// Block `i` of the blocks that start here.
    Items block(int i) const {
        Items made = *this;
        made.address += MPI_Aint(count) * element.extent * i;
        return made;
    }
    /// `number` blocks as one.
    Items times(int number) const {
        Items made = *this;
        made.count *= std::size_t(number);
        return made;
    }

    /// Memory for the bytes in a row: the buffer if they are consecutive there, else a working vector.
    std::byte* room(Memory& memory) const { return dense() ? address : working_bytes(memory, bytes()); }
    void copy_to(void* packed, Memory& memory) const {
        if (!dense())
            pack(packed, address, count, element, memory.loopback());
        else if (packed != address)
            std::memcpy(packed, address, bytes());
    }
    void copy_from(const void* packed, Memory& memory) const {
        if (!dense())
            unpack(address, packed, count, element, memory.loopback());
        else if (packed != address)
            std::memcpy(address, packed, bytes());
    }

    std::byte* address;
    std::size_t count;
    Element element;
    /// The program's handle, where `element` has a copy of the datatype.
    MPI_Datatype named;
    /// Keeps the datatype, if the program may free it before the end of the call.
    std::shared_ptr<const void> holder = {};
};

/// The blocks of all ranks in a user's buffer, at any places there, and their places side by side by rank.
class BlockItems {
public:
    /// Requires: the type is not null; counts of 0 or more.
    template <class Count>
    BlockItems(const UserBlocks<Count>& user, int p) : base_(UserBuffer{user.data, 0, user.type}) {
        const MPI_Aint extent = base_.element.extent;
        counts_.reserve(std::size_t(p));
        places_.reserve(std::size_t(p));
        starts_.reserve(std::size_t(p) + 1);
        for (int r = 0; r < p; ++r) {
            counts_.push_back(std::size_t(user.counts[r]));
            places_.push_back(user.counts[r] == 0 ? 0 : MPI_Aint(user.places[r]) * extent);
            starts_.push_back(starts_.back() + base_.element.bytes(counts_.back()));
        }
    }

    int size() const { return int(counts_.size()); }
    Bytes bytes() const { return starts_.back(); }
    Bytes start(int rank) const { return starts_[std::size_t(rank)]; }
    Blocks blocks(Buffer buffer = Buffer::data) const { return {Slice{0, bytes(), buffer}, starts_}; }
    BlockLengths lengths() const {
        const auto [least, most] = std::ranges::minmax(counts_);
        return least == most ? BlockLengths::equal
               : least == 0  ? BlockLengths::some_empty
                             : BlockLengths::different;
    }
    Items operator[](int rank) const {
        Items made = base_;
        made.address += places_[std::size_t(rank)];
        made.count = counts_[std::size_t(rank)];
        return made;
    }
    /// Replaces the items that say where the buffer is, and of which type it consists.
    template <class Change>
    void change(const Change& change) {
        base_ = change(base_);
    }

    /// The address of the bytes if they lie side by side by rank in the buffer; else null.
    std::byte* in_a_row() const {
        if (!base_.dense()) return nullptr;
        std::byte* first = nullptr;
        for (int r = 0; r < size(); ++r) {
            if (counts_[std::size_t(r)] == 0) continue;
            std::byte* const from = (*this)[r].address - start(r);
            if (first != nullptr && from != first) return nullptr;
            first = from;
        }
        return first;
    }
    void copy_to(std::byte* packed, Memory& memory) const {
        for (int r = 0; r < size(); ++r)
            if (counts_[std::size_t(r)] > 0) (*this)[r].copy_to(packed + start(r), memory);
    }
    /// Memory for the bytes side by side: the buffer if they are there already, else a working vector.
    std::byte* room(Memory& memory) const {
        std::byte* const there = in_a_row();
        return there != nullptr ? there : working_bytes(memory, bytes());
    }
    /// Requires: `packed` is in_a_row(), or other memory.
    void copy_from(const std::byte* packed, Memory& memory) const {
        if (packed == in_a_row()) return;
        for (int r = 0; r < size(); ++r)
            if (counts_[std::size_t(r)] > 0) (*this)[r].copy_from(packed + start(r), memory);
    }

private:
    Items base_;
    std::vector<std::size_t> counts_;
    std::vector<MPI_Aint> places_;        // in bytes
    std::vector<std::size_t> starts_{0};  // of the blocks side by side
};

/// True if the library refuses to send these elements from the place where they arrive. The address alone
/// does not tell, since types place the data anywhere, with MPI_BOTTOM.
inline bool refused_alias(const Items& from, const Items& to) {
    return quirks::refuses_aliases && from.address == to.address && from.count == to.count &&
           from.named == to.named;
}
/// The same for blocks whose counts are one array.
template <class Count>
bool refused_alias(const UserBlocks<Count>& from, const UserBlocks<Count>& to) {
    return quirks::refuses_aliases && from.data == to.data && from.counts == to.counts &&
           from.type == to.type;
}

}  // namespace echelon
