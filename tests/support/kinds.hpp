// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace echelon {

/// The ranks of one launch of tests that compare with the library.
inline constexpr int most_ranks = 8;

/// How a call's elements look and are combined; makes the input of a rank and compares bytes.
struct Kind {
    const char* label;
    MPI_Datatype type;
    MPI_Op op;
    bool commutes;
    /// Bytes that one element takes, gaps included.
    std::size_t stride;
    /// Where element 0 begins in the buffer.
    std::size_t first;
    void (*fill)(std::byte* element, int rank, std::size_t index);
};

/// The kinds, with the types and operations of ours that they need.
class Kinds {
public:
    Kinds();
    ~Kinds();
    Kinds(const Kinds&) = delete;
    Kinds& operator=(const Kinds&) = delete;
    /// All kinds for some numbers of ranks, else one for each recipe in turn: ranks that share cores are
    /// slow.
    std::span<const Kind> in_turn(int p, int recipe) const;

private:
    MPI_Datatype matrix_ = MPI_DATATYPE_NULL, gaps_ = MPI_DATATYPE_NULL;
    MPI_Op product_ = MPI_OP_NULL, sum_ = MPI_OP_NULL;
    std::vector<Kind> all_;
};

/// A buffer with the elements of a rank, or with none for rank -1; what lies between them is 0xEE and must
/// stay so.
std::vector<std::byte> buffer(const Kind& kind, std::size_t count, int rank);

/// Forces a recipe without strictness: where it cannot serve, the native collective must.
void force(MPI_Comm comm, const char* collective, const std::string& recipe, int p);

}  // namespace echelon
