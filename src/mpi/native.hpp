// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"
#include "mpi/memory.hpp"

#include <vector>

namespace echelon {

/// The MPI library's own collectives on a call's memory, in place, as phases of a recipe.
class Native {
public:
    Native(MPI_Comm comm, int rank, int size, Memory& memory)
        : comm_(comm), rank_(rank), size_(size), memory_(memory) {}

    /// Error: the library's call failed. Collective.
    void operator()(Collective collective, const Args& args);

private:
    void reduce(const Slice& data, int root);
    void allreduce(const Slice& data);
    void bcast(const Slice& data, int root);
    void reduce_scatter(const Blocks& blocks);
    void allgather(const Blocks& blocks);
    void gather(const Blocks& blocks, int root);
    void scatter(const Blocks& blocks, int root);
    void alltoall(const Slice& input, const Slice& data);
    void scan(Collective collective, const Slice& data);
    /// Computes MPI's counts and displacements of the blocks, by rank.
    void lay_out(const Blocks& blocks);
    /// Number of elements of the user's datatype.
    int items(const Slice& slice) const { return int(slice.count * memory_.element().repeat); }

    MPI_Comm comm_;
    int rank_;
    int size_;
    Memory& memory_;
    std::vector<int> counts_, displacements_;
};

}  // namespace echelon
