// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/operand.hpp"
#include "core/collective.hpp"
#include "core/slice.hpp"

#include <mpi.h>

#include <memory>

namespace echelon::bench {

/// What is measured: allreduce, reduce or bcast of so many bytes.
struct Cell {
    Collective collective;
    Bytes bytes = 0;
};

/// A collective call with its buffers, to be made again and again.
class Workload {
public:
    /// `control`: for the questions that ranks ask each other here; must outlive this. Memory: twice the
    /// cell's bytes.
    Workload(const Cell& cell, Type type, Op op, int root, MPI_Comm control);

    /// The MPI library's own collective. Returns its code.
    int call_library(MPI_Comm comm);
    /// Through Echelon. Returns its code.
    int call_echelon(MPI_Comm comm);

    /// Makes the buffers such that a call which does nothing, or too little, is found out.
    void reset();
    /// After a call: every rank holds what it should, and all the same bits. Collective over `control`, one
    /// answer.
    bool correct() const;

private:
    bool own_correct() const;
    bool same_bits() const;

    Cell cell_;
    Operands operands_;
    std::size_t count_;
    MPI_Datatype type_;
    MPI_Op op_;
    int root_;
    MPI_Comm control_;
    int rank_ = 0;
    std::unique_ptr<std::byte[]> in_, out_;
};

}  // namespace echelon::bench
