// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fuzz {

/// opaque: MPI defines no operation on it.
enum class Family { integer, floating, complex, logical, bytes, pair, opaque };

enum class Combine { sum, prod, max, min, land, lor, lxor, band, bor, bxor, minloc, maxloc };

/// A predefined datatype.
struct Basic {
    std::string name;
    MPI_Datatype type;
    Family family;
    /// Distance from one element to the next.
    std::ptrdiff_t extent;
    std::ptrdiff_t alignment;
    /// Bytes of the value, as runs of (offset, length); the rest is padding.
    struct Run {
        std::ptrdiff_t at, length;
    };
    std::vector<Run> runs;
    /// The result of MPI_Type_size.
    std::ptrdiff_t size;
    /// Writes the operand of a rank; the operation on all ranks' operands is exact in any order.
    void (*operand)(std::byte* at, Combine combine, int rank, int ranks, std::uint64_t chance);
};

/// All predefined datatypes of this MPI. Index 0 is MPI_INT.
const std::vector<Basic>& basics();

struct Predefined {
    const char* name;
    MPI_Op op;
    Combine combine;
};
const std::vector<Predefined>& predefined();
/// True if MPI defines the operation on the type.
bool is_legal(Combine combine, Family family);

}  // namespace fuzz
