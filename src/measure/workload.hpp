// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/slice.hpp"
#include "measure/operand.hpp"
#include "mpi/any_call.hpp"

#include <mpi.h>

#include <memory>

namespace echelon {

/// A collective to measure; `bytes` counts all blocks together if ranks have blocks.
struct Cell {
    Collective collective;
    Bytes bytes = 0;
};

/// `bytes`, rounded up to whole elements in every rank's block; 0 for a barrier.
Bytes bytes_of_call(Collective collective, Bytes bytes, Operands::Type type, int p);

/// A collective call with its buffers, to be repeated.
class Workload {
public:
    /// Requires: `cell.bytes` comes from bytes_of_call(). `control` carries the messages of checks and must
    /// outlive this object. Memory: twice the cell's bytes.
    Workload(const Cell& cell, Operands::Type type, Operands::Op op, int root, MPI_Comm control);

    /// Makes the call through `serve`. Returns the MPI error code.
    template <class Serve>
    int call(MPI_Comm comm, const Serve& serve) {
        return call_on(vectors(comm), cell_.collective, serve);
    }

    /// Prepares the buffers: a call that does nothing, or too little, will fail the check.
    void reset();
    /// True if after a call every rank holds its result, with the same bits on all ranks. Collective over
    /// `control`; the same answer on all ranks.
    bool correct() const;

private:
    Vectors vectors(MPI_Comm comm);
    bool own_correct() const;
    bool same_bits() const;

    Cell cell_;
    int p_;
    Operands operands_;
    std::size_t count_, block_;
    MPI_Datatype type_;
    MPI_Op op_;
    int root_;
    MPI_Comm control_;
    int rank_ = 0;
    std::unique_ptr<std::byte[]> in_, out_;
};

}  // namespace echelon
