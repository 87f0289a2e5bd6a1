// SPDX-License-Identifier: Apache-2.0
#include "mpi/shared_window.hpp"

namespace echelon {

namespace {

/// Whatever fails, the rounds go on.
template <class Work>
void keeping_errors(Memory& memory, const Work& work) {
    try {
        work();
    } catch (const MpiError& error) {
        memory.first_error.keep(error.code, "shared memory");
    }
}

}  // namespace

void SharedWindow::put(std::size_t round, Slice what) {
    const std::uint64_t own = board_->next_round + round;
    std::byte* const slot = board_->fill(own, what.count * memory_.put_size());
    keeping_errors(memory_, [&] { memory_.put(slot, what); });
    board_->filled(own);
}

const std::byte* SharedWindow::elements(int owner, std::size_t round, std::size_t offset, std::size_t count) {
    const Board::Put put = board_->put_by(owner, board_->next_round + round);
    if ((offset + count) * memory_.put_size() <= put.count) return put.bytes + offset * memory_.put_size();
    memory_.first_error.keep(MPI_ERR_TRUNCATE, "ranks give different lengths");
    return nullptr;
}

void SharedWindow::get(std::size_t round, int owner, std::size_t offset, Slice into) {
    if (const std::byte* const from = elements(owner, round, offset, into.count))
        keeping_errors(memory_, [&] { memory_.get(into, from); });
}

void SharedWindow::fold(std::size_t round, int last, std::size_t offset, Slice into) {
    bool all = true;
    for (int rank = 0; rank < last; ++rank) {
        const bool own = rank == board_->rank();
        operands_[std::size_t(rank)] = own ? nullptr : elements(rank, round, offset, into.count);
        all = all && (own || operands_[std::size_t(rank)] != nullptr);
    }
    if (all) keeping_errors(memory_, [&] { memory_.fold(into, {operands_.data(), std::size_t(last)}); });
}

}  // namespace echelon
