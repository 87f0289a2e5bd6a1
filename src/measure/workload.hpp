// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/slice.hpp"
#include "measure/operand.hpp"
#include "mpi/any_call.hpp"

#include <mpi.h>

#include <memory>

namespace echelon {

/// What is measured: a collective of so many bytes, those of all blocks where ranks have blocks.
struct Cell {
    Collective collective;
    Bytes bytes = 0;
};

/// `bytes`, or as many more as it takes that every rank's block is of whole elements; 0 for a barrier.
Bytes bytes_of_call(Collective collective, Bytes bytes, Operands::Type type, int p);

/// A collective call with its buffers, to be made again and again.
class Workload {
public:
    /// Requires: bytes_of_call(). `control`: for the questions that ranks ask each other here; must outlive
    /// this. Memory: twice the cell's bytes.
    Workload(const Cell& cell, Operands::Type type, Operands::Op op, int root, MPI_Comm control);

    /// Its call, as `serve` serves it. Returns MPI's code.
    template <class Serve>
    int call(MPI_Comm comm, const Serve& serve) {
        return call_on(vectors(comm), cell_.collective, serve);
    }

    /// Makes the buffers such that a call which does nothing, or too little, is found out.
    void reset();
    /// After a call: every rank holds what it should, and all the same bits. Collective over `control`, one
    /// answer.
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
