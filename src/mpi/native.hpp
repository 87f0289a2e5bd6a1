// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"
#include "mpi/memory.hpp"

#include <vector>

namespace echelon {

/// The MPI library's own collectives on our memory, in place, as phases of a recipe use them.
class Native {
public:
    Native(MPI_Comm comm, int rank, int size, Memory& memory)
        : comm_(comm), rank_(rank), size_(size), memory_(memory) {}

    /// Error: the library has failed. Collective.
    void operator()(Collective collective, const Args& args);

private:
    void reduce(const Slice& data, int root);
    void allreduce(const Slice& data);
    void bcast(const Slice& data, int root);
    void reduce_scatter(const Blocks& blocks);
    void allgather(const Blocks& blocks);
    void gather(const Blocks& blocks, int root);
    void scatter(const Blocks& blocks, int root);
    /// Blocks as MPI wants them: counts and displacements by rank.
    void alltoall(const Slice& input, const Slice& data);
    void scan(Collective collective, const Slice& data);
    void lay_out(const Blocks& blocks);
    /// As the library counts them.
    int items(const Slice& slice) const { return int(slice.count * memory_.element().repeat); }

    MPI_Comm comm_;
    int rank_;
    int size_;
    Memory& memory_;
    std::vector<int> counts_, displacements_;
};

}  // namespace echelon
