// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"
#include "mpi/check.hpp"
#include "mpi/kernels/kernels.hpp"
#include "mpi/route.hpp"

namespace echelon {

/// How the elements of a call lie in memory.
struct Element {
    enum class Kind { integer, floating, complex, logical, bytes, pair, other };

    MPI_Datatype type = MPI_BYTE;
    Kind kind = Kind::bytes;
    /// What kernels call it; none if MPI_Reduce_local must do the work.
    Scalar scalar = Scalar::none;
    /// Bytes of data in one element.
    Bytes size = 1;
    /// From one element to the next.
    MPI_Aint extent = 1;
    /// Where the data of the first element begins and how far it reaches.
    MPI_Aint true_lower_bound = 0;
    MPI_Aint true_extent = 1;
    /// Elements may be copied and sent as plain bytes, extent by extent: there are no gaps that belong to
    /// somebody else.
    bool plain = true;

    /// The data of consecutive elements follow each other without a gap.
    bool dense() const { return Bytes(extent) == size && true_lower_bound == 0 && plain; }
    /// Bytes that hold `count` elements; the first element starts -true_lower_bound into them.
    Bytes span(std::size_t count) const {
        return count == 0 ? 0 : Bytes(true_extent) + (count - 1) * Bytes(extent);
    }
};

/// Predefined types are looked up in a table (nanoseconds); of others MPI is asked.
/// Error: not a committed datatype.
Element element_of(MPI_Datatype type);

/// What an operation does to elements of a type.
struct Combination {
    /// Surely legal, and within what our algorithms can do; else the MPI library serves the call or says what
    /// is wrong.
    bool served = false;
    bool commutative = true;
    /// Other brackets give the same result, bit by bit.
    bool exact = false;
    /// Nullptr where MPI_Reduce_local combines.
    Kernel kernel = nullptr;
};

/// Requires: not MPI_OP_NULL.
Combination combination_of(MPI_Op op, const Element& element);

/// `count` elements to or from consecutive bytes, in the order of the type's map.
void pack(void* packed, const void* from, std::size_t count, const Element& element, const Self& self);
void unpack(void* into, const void* packed, std::size_t count, const Element& element, const Self& self);

}  // namespace echelon
