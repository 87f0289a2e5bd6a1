// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace echelon {

/// Number of ranks of the tests that compare with the MPI library.
inline constexpr int most_ranks = 8;

/// Layout, operation and input of a call's elements.
struct Kind {
    const char* label;
    MPI_Datatype type;
    MPI_Op op;
    bool commutes;
    /// Bytes that one element takes, gaps included.
    std::size_t stride;
    /// Offset of element 0 in the buffer, in bytes.
    std::size_t first;
    void (*fill)(std::byte* element, int rank, std::size_t index);
};

/// The kinds, with the types and operations that they need.
class Kinds {
public:
    Kinds();
    ~Kinds();
    Kinds(const Kinds&) = delete;
    Kinds& operator=(const Kinds&) = delete;
    /// All kinds for some numbers of ranks, otherwise one kind per recipe in turn, since ranks that share
    /// cores are slow.
    std::span<const Kind> in_turn(int p, int recipe) const;

private:
    MPI_Datatype matrix_ = MPI_DATATYPE_NULL, gaps_ = MPI_DATATYPE_NULL;
    MPI_Op product_ = MPI_OP_NULL, sum_ = MPI_OP_NULL;
    std::vector<Kind> all_;
};

/// Buffer with the elements of a rank, or without elements for rank -1. Bytes between elements are 0xEE and
/// must stay unchanged.
std::vector<std::byte> buffer(const Kind& kind, std::size_t count, int rank);

/// Forces a recipe without strictness: if it cannot serve, the native collective must.
void force(MPI_Comm comm, const char* collective, const std::string& recipe, int p);

}  // namespace echelon
