// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"
#include "mpi/kernels/kernels.hpp"

#include <mpi.h>

#include <cstdlib>

namespace echelon {

/// No buffer has more; lengths that would be longer are told as this, which the MPI library must judge.
constexpr Bytes most_bytes = Bytes(1) << 62;

/// How the elements of a call lie in memory.
struct Element {
    /// fortran_integer: no logical value in Fortran. opaque: moved, never combined.
    enum class Kind { integer, fortran_integer, floating, complex, logical, bytes, pair, opaque, other };

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
    /// somebody else, and the type's map takes the bytes in the order in which they lie.
    bool plain = true;
    /// So many elements of `type` make one.
    std::size_t repeat = 1;

    /// The data of consecutive elements follow each other without a gap.
    bool dense() const { return Bytes(extent) == size && true_lower_bound == 0 && plain; }
    /// A predefined pair whose padding travels with it: in the user's memory it must stay as it is.
    bool padded() const { return plain && Bytes(extent) != size; }
    /// Of data in `count` elements.
    Bytes bytes(std::size_t count) const {
        return size > 0 && count > most_bytes / size ? most_bytes : count * size;
    }
    /// Bytes that hold `count` elements.
    Bytes span(std::size_t count) const {
        return count == 0 ? 0 : Bytes(true_extent) + (count - 1) * Bytes(std::abs(extent));
    }
    /// Where the first of them begins, seen from element 0: elements may follow each other backwards.
    MPI_Aint lowest(std::size_t count) const {
        return true_lower_bound + (extent < 0 && count > 0 ? MPI_Aint(count - 1) * extent : 0);
    }
    /// `count` elements as one. Requires: one that is none of those itself.
    Element times(std::size_t count) const {
        Element all = *this;
        all.repeat = count;
        all.size *= count;
        all.extent *= MPI_Aint(count);
        all.true_lower_bound = lowest(count);
        all.true_extent = MPI_Aint(span(count));
        return all;
    }
    /// One of those.
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

/// Predefined types are looked up in a table (nanoseconds), others are taken apart once and then are an
/// attribute look-up. Any thread.
/// Error: not a committed datatype.
Element element_of(MPI_Datatype type);

}  // namespace echelon
