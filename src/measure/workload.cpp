// SPDX-License-Identifier: Apache-2.0
#include "measure/workload.hpp"

#include "core/error.hpp"
#include "mpi/agree.hpp"
#include "mpi/comm.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace echelon {
namespace {

MPI_Datatype mpi_type(Operands::Type type) {
    using enum Operands::Type;
    return type == int_ ? MPI_INT : type == float_ ? MPI_FLOAT : MPI_DOUBLE;
}

MPI_Op mpi_op(Operands::Op op) {
    using enum Operands::Op;
    return op == sum ? MPI_SUM : op == max ? MPI_MAX : MPI_MIN;
}

std::uint64_t fingerprint(const std::byte* bytes, std::size_t count) {
    std::uint64_t sum = 0xCBF29CE484222325u;
    for (std::size_t i = 0; i < count; ++i) sum = (sum ^ std::uint64_t(bytes[i])) * 0x100000001B3u;
    return sum;
}

}  // namespace

Bytes bytes_of_call(Collective collective, Bytes bytes, Operands::Type type, int p) {
    if (collective == Collective::barrier) return 0;
    const Bytes least = in_blocks(collective) ? size_of(type) * Bytes(p) : size_of(type);
    return (bytes + least - 1) / least * least;
}

Workload::Workload(const Cell& cell, Operands::Type type, Operands::Op op, int root, MPI_Comm control)
    : cell_(cell),
      p_(size_of(control)),
      operands_(type, op, p_),
      count_(cell.bytes / size_of(type)),
      block_(count_ / std::size_t(p_)),
      type_(mpi_type(type)),
      op_(mpi_op(op)),
      root_(root),
      control_(control) {
    MPI_Comm_rank(control, &rank_);
    if (is_scan(cell.collective))  // the result is over the ranks up to this one
        operands_ = Operands(type, op, cell.collective == Collective::scan ? rank_ + 1 : std::max(rank_, 1));
    in_ = std::make_unique_for_overwrite<std::byte[]>(cell.bytes);
    out_ = std::make_unique_for_overwrite<std::byte[]>(cell.bytes);
    operands_.fill(in_.get(), count_, rank_);
    reset();
}

Vectors Workload::vectors(MPI_Comm comm) {
    return {.in = in_.get(),
            .out = out_.get(),
            .whole = MPI_Count(count_),
            .whole_type = type_,
            .block = MPI_Count(block_),
            .block_type = type_,
            .op = op_,
            .root = root_,
            .comm = comm};
}

void Workload::reset() {
    poison(out_.get(), cell_.bytes);
    if (cell_.collective == Collective::bcast && rank_ == root_) operands_.fill(out_.get(), count_, root_);
}

bool Workload::own_correct() const {
    const std::byte* const out = out_.get();
    const Bytes length = cell_.bytes / Bytes(p_);
    const std::size_t own_block = block_ * std::size_t(rank_);
    // Block r of the result comes from rank r, from its element `first` on.
    const auto blocks_are_of_all = [&](std::size_t first) {
        for (int rank = 0; rank < p_; ++rank)
            if (!operands_.is_contribution(out + length * Bytes(rank), block_, rank, first)) return false;
        return true;
    };
    switch (cell_.collective) {
        case Collective::barrier:
            return true;
        case Collective::allreduce:
        case Collective::scan:
            return operands_.is_result(out, count_);
        case Collective::exscan:
            return rank_ == 0 || operands_.is_result(out, count_);
        case Collective::reduce:
            return rank_ != root_ || operands_.is_result(out, count_);
        case Collective::bcast:
            return operands_.is_contribution(out, count_, root_);
        case Collective::reduce_scatter:
            return operands_.is_result(out, block_, own_block);
        case Collective::scatter:
            return operands_.is_contribution(out, block_, root_, own_block);
        case Collective::gather:
            return rank_ != root_ || blocks_are_of_all(0);
        case Collective::allgather:
            return blocks_are_of_all(0);
        case Collective::alltoall:
            return blocks_are_of_all(own_block);
    }
    return false;
}

/// True if the bits agree, or if ranks have different results.
bool Workload::same_bits() const {
    const Collective collective = cell_.collective;
    if (collective != Collective::allreduce && collective != Collective::bcast &&
        collective != Collective::allgather)
        return true;
    const std::uint64_t own = fingerprint(out_.get(), cell_.bytes);
    const std::array<std::uint64_t, 2> both{own, ~own};
    std::array<std::uint64_t, 2> least{};
    MPI_Allreduce(both.data(), least.data(), 2, MPI_UINT64_T, MPI_MIN, control_);
    return least[0] == ~least[1];
}

bool Workload::correct() const {
    const bool all = all_say(own_correct() && operands_.is_contribution(in_.get(), count_, rank_), control_);
    return same_bits() && all;
}

}  // namespace echelon
