// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "front/serve.hpp"
#include "mpi/packing.hpp"
#include "mpi/quirks.hpp"

#include <cstring>

namespace echelon {

inline std::byte* working_bytes(State& state, Bytes bytes) {
    return static_cast<std::byte*>(state.own().memory().working_vector(element_of(MPI_BYTE), bytes));
}

/// A block in one of the user's buffers: so many elements of a datatype; or several blocks side by side.
struct Items {
    /// Requires: a type that is not null.
    explicit Items(const UserBuffer& buffer)
        : address(static_cast<std::byte*>(buffer.writable())),
          count(std::size_t(buffer.count)),
          element(element_of(buffer.type)) {}

    Bytes bytes() const { return element.bytes(count); }
    /// Bytes one after the other, as messages have them.
    bool dense() const { return element.dense(); }
    /// Block `i` of those that begin here.
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

    /// Where their bytes can lie one after the other: where they do, or else a working vector.
    std::byte* room(State& state) const { return dense() ? address : working_bytes(state, bytes()); }
    void copy_to(void* packed, State& state) const {
        if (!dense())
            pack(packed, address, count, element, state.own().loopback());
        else if (packed != address)
            std::memcpy(packed, address, bytes());
    }
    void copy_from(const void* packed, State& state) const {
        if (!dense())
            unpack(address, packed, count, element, state.own().loopback());
        else if (packed != address)
            std::memcpy(address, packed, bytes());
    }

    std::byte* address;
    std::size_t count;
    Element element;
};

/// Whether the library refuses to send these elements from where they are to arrive. The address alone tells
/// nothing: data lie where the types say, with MPI_BOTTOM anywhere.
inline bool refused_alias(const Items& from, const Items& to) {
    return quirks::refuses_aliases && from.address == to.address && from.count == to.count &&
           from.element.type == to.element.type;
}

}  // namespace echelon
