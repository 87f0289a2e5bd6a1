// SPDX-License-Identifier: Apache-2.0
#include "bench/workload.hpp"

#include "core/error.hpp"

#include <echelon/echelon.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace echelon::bench {
namespace {

int ranks_of(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

MPI_Datatype mpi_type(Type type) {
    return type == Type::int_ ? MPI_INT : type == Type::float_ ? MPI_FLOAT : MPI_DOUBLE;
}

MPI_Op mpi_op(Op op) { return op == Op::sum ? MPI_SUM : op == Op::max ? MPI_MAX : MPI_MIN; }

std::uint64_t fingerprint(const std::byte* bytes, std::size_t count) {
    std::uint64_t sum = 0xCBF29CE484222325u;
    for (std::size_t i = 0; i < count; ++i) sum = (sum ^ std::uint64_t(bytes[i])) * 0x100000001B3u;
    return sum;
}

}  // namespace

Workload::Workload(const Cell& cell, Type type, Op op, int root, MPI_Comm control)
    : cell_(cell),
      operands_(type, op, ranks_of(control)),
      count_(cell.bytes / size_of(type)),
      type_(mpi_type(type)),
      op_(mpi_op(op)),
      root_(root),
      control_(control) {
    MPI_Comm_rank(control, &rank_);
    in_ = std::make_unique_for_overwrite<std::byte[]>(cell.bytes);
    out_ = std::make_unique_for_overwrite<std::byte[]>(cell.bytes);
    operands_.fill(in_.get(), count_, rank_);
    reset();
}

int Workload::call_library(MPI_Comm comm) {
    // PMPI_*: a library that is preloaded must not serve what it is compared with.
    const int count = int(count_);
    switch (cell_.collective) {
        case Collective::allreduce:
            return PMPI_Allreduce(in_.get(), out_.get(), count, type_, op_, comm);
        case Collective::reduce:
            return PMPI_Reduce(in_.get(), out_.get(), count, type_, op_, root_, comm);
        default:
            return PMPI_Bcast(out_.get(), count, type_, root_, comm);
    }
}

int Workload::call_echelon(MPI_Comm comm) {
    const auto count = MPI_Count(count_);
    switch (cell_.collective) {
        case Collective::allreduce:
            return allreduce(in_.get(), out_.get(), count, type_, op_, comm);
        case Collective::reduce:
            return reduce(in_.get(), out_.get(), count, type_, op_, root_, comm);
        default:
            return bcast(out_.get(), count, type_, root_, comm);
    }
}

void Workload::reset() {
    poison(out_.get(), cell_.bytes);
    if (cell_.collective == Collective::bcast && rank_ == root_) operands_.fill(out_.get(), count_, root_);
}

bool Workload::own_correct() const {
    switch (cell_.collective) {
        case Collective::allreduce:
            return operands_.is_result(out_.get(), count_);
        case Collective::reduce:
            return rank_ != root_ || operands_.is_result(out_.get(), count_);
        default:
            return operands_.is_contribution(out_.get(), count_, root_);
    }
}

bool Workload::same_bits() const {
    if (cell_.collective == Collective::reduce) return true;  // only the root has a result
    const std::uint64_t own = fingerprint(out_.get(), cell_.bytes);
    const std::array<std::uint64_t, 2> both{own, ~own};
    std::array<std::uint64_t, 2> least{};
    MPI_Allreduce(both.data(), least.data(), 2, MPI_UINT64_T, MPI_MIN, control_);
    return least[0] == ~least[1];
}

bool Workload::correct() const {
    const int own = own_correct() && operands_.is_contribution(in_.get(), count_, rank_) ? 1 : 0;
    int all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, control_);
    return same_bits() && all != 0;
}

}  // namespace echelon::bench
