// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"
#include "mpi/kernels/kernels.hpp"

#include <mpi.h>

#include <cstdlib>

namespace echelon {

/// More bytes than any buffer has. Longer lengths are reported as this value; the MPI library judges the
/// call.
constexpr Bytes most_bytes = Bytes(1) << 62;

/// How the elements of a call lie in memory.
struct Element {
    /// fortran_integer: no logical operations in Fortran. opaque: moved, never combined.
    enum class Kind { integer, fortran_integer, floating, complex, logical, bytes, pair, opaque, other };

    MPI_Datatype type = MPI_BYTE;
    Kind kind = Kind::bytes;
    /// The kernels' type; none if MPI_Reduce_local must combine.
    Scalar scalar = Scalar::none;
    /// Bytes of data in one element.
    Bytes size = 1;
    /// Bytes from one element to the next.
    MPI_Aint extent = 1;
    /// Offset and length, in bytes, of the data of the first element.
    MPI_Aint true_lower_bound = 0;
    MPI_Aint true_extent = 1;
    /// Elements may be copied and sent as plain bytes, extent by extent: gaps contain no other data, and the
    /// type's map lists the bytes in memory order.
    bool plain = true;
    /// Number of elements of `type` in one element.
    std::size_t repeat = 1;

    /// The data of consecutive elements follow each other without a gap.
    bool dense() const { return Bytes(extent) == size && true_lower_bound == 0 && plain; }
    /// A predefined pair. Its padding travels with it, but must not change in the user's memory.
    bool padded() const { return plain && Bytes(extent) != size; }
    /// Bytes of data in `count` elements.
    Bytes bytes(std::size_t count) const {
        return size > 0 && count > most_bytes / size ? most_bytes : count * size;
    }
    /// Bytes of memory that `count` elements span.
    Bytes span(std::size_t count) const {
        return count == 0 ? 0 : Bytes(true_extent) + (count - 1) * Bytes(std::abs(extent));
    }
    /// Offset from element 0, in bytes, of the lowest byte of `count` elements: the extent may be negative.
    MPI_Aint lowest(std::size_t count) const {
        return true_lower_bound + (extent < 0 && count > 0 ? MPI_Aint(count - 1) * extent : 0);
    }
    /// `count` elements as one. Requires: repeat == 1.
    Element times(std::size_t count) const {
        Element all = *this;
        all.repeat = count;
        all.size *= count;
        all.extent *= MPI_Aint(count);
        all.true_lower_bound = lowest(count);
        all.true_extent = MPI_Aint(span(count));
        return all;
    }
    /// One of the `repeat` elements: the inverse of times().
    Element item() const {
        Element one = *this;
        one.repeat = 1;
        one.size /= repeat;
        one.extent /= MPI_Aint(repeat);
        one.true_extent -= MPI_Aint(repeat - 1) * std::abs(one.extent);
        one.true_lower_bound -= one.lowest(repeat) - one.true_lower_bound;
        return one;
    }
};

/// The layout of a datatype. A predefined type is a table look-up; another type is examined once, and then is
/// an attribute look-up. Safe to use from several threads. Error: not a committed datatype.
Element element_of(MPI_Datatype type);

}  // namespace echelon
