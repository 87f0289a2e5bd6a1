// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "front/serve.hpp"
#include "mpi/packing.hpp"
#include "mpi/quirks.hpp"

#include <cstring>
#include <memory>

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
          element(element_of(buffer.type)) {}

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
    /// Keeps the datatype, if the program may free it before the end of the call.
    std::shared_ptr<const void> holder = {};
};

/// True if the library refuses to send these elements from the place where they arrive. The address alone
/// does not tell, since types place the data anywhere, with MPI_BOTTOM.
inline bool refused_alias(const Items& from, const Items& to) {
    return quirks::refuses_aliases && from.address == to.address && from.count == to.count &&
           from.element.type == to.element.type;
}

}  // namespace echelon
