// SPDX-License-Identifier: Apache-2.0
#include "mpi/shared_window.hpp"

#include <algorithm>

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

void SharedWindow::expose(std::size_t round, Slice what) {
    const std::byte* where = nullptr;
    keeping_errors(memory_, [&] { where = memory_.exposed(what); });
    board_->expose(board_->next_round + round, where, where == nullptr ? 0 : what.count * memory_.put_size());
}

std::optional<SharedWindow::Operand> SharedWindow::elements(int owner, std::size_t round, std::size_t offset,
                                                            std::size_t count) {
    const Board::Put put = board_->put_by(owner, board_->next_round + round);
    if ((offset + count) * memory_.put_size() <= put.count)
        return Operand{put.bytes + offset * memory_.put_size(), put.exposed};
    memory_.first_error.keep(MPI_ERR_TRUNCATE, "ranks give different lengths");
    return std::nullopt;
}

bool SharedWindow::copy(void* into, int owner, const std::byte* from, std::size_t count) {
    if (board_->copy(into, owner, from, count * memory_.put_size()) == 0) return true;
    memory_.first_error.keep(MPI_ERR_OTHER, "a rank's memory cannot be read any more: shared memory");
    return false;
}

void SharedWindow::offer(std::size_t round, Slice into) {
    const std::byte* where = nullptr;
    keeping_errors(memory_, [&] {
        if (memory_.lies_as_in_window())
            where = memory_.exposed_into(into);
        else
            offers_.push_back({round, into, where = memory_.exposed(into)});
    });
    board_->expose(board_->next_round + round, where, where == nullptr ? 0 : into.count * memory_.put_size());
}

void SharedWindow::accept(std::size_t round) {
    std::erase_if(offers_, [&](const Offer& one) {
        if (one.round == round) keeping_errors(memory_, [&] { memory_.get(one.into, one.packed); });
        return one.round == round;
    });
}

void SharedWindow::give(std::size_t round, int owner, std::size_t offset, Slice what) {
    const auto found = elements(owner, round, offset, what.count);
    if (!found || what.empty()) return;
    keeping_errors(memory_, [&] {
        if (board_->give(owner, found->bytes, memory_.exposed(what), what.count * memory_.put_size()) != 0)
            memory_.first_error.keep(MPI_ERR_OTHER,
                                     "a rank's memory cannot be written any more: shared memory");
    });
}

std::size_t SharedWindow::make_stages(int owners) {
    constexpr Bytes all = Bytes(256) << 10, least = Bytes(8) << 10, most = Bytes(64) << 10;
    const Bytes one = memory_.put_size();
    const std::size_t count = std::max<std::size_t>(std::clamp(all / Bytes(owners), least, most) / one, 1);
    stage_ = count * one;
    if (stage_ * Bytes(owners) > stages_size_) {
        stages_size_ = stage_ * Bytes(owners);
        stages_ = std::make_unique_for_overwrite<std::byte[]>(stages_size_);
    }
    return count;
}

void SharedWindow::get(std::size_t round, int owner, std::size_t offset, Slice into) {
    const auto found = elements(owner, round, offset, into.count);
    if (!found || into.empty()) return;
    const std::byte* const from = found->bytes;
    if (!found->exposed) return keeping_errors(memory_, [&] { memory_.get(into, from); });
    if (memory_.lies_as_in_window()) {
        keeping_errors(memory_, [&] { copy(memory_.exposed_into(into), owner, from, into.count); });
        return;
    }
    const std::size_t piece = make_stages(1);
    for (std::size_t done = 0; done < into.count; done += piece) {
        const Slice part = into.part(done, std::min(piece, into.count - done));
        if (!copy(stages_.get(), owner, from + done * memory_.put_size(), part.count)) return;
        keeping_errors(memory_, [&] { memory_.get(part, stages_.get()); });
    }
}

void SharedWindow::fold(std::size_t round, int last, std::size_t offset, Slice into) {
    bool all = true, exposed = false;
    for (int rank = 0; rank < last; ++rank) {
        const auto found =
            rank == board_->rank() ? Operand{nullptr, false} : elements(rank, round, offset, into.count);
        all = all && found;
        operands_[std::size_t(rank)] = found.value_or(Operand{nullptr, false});
        exposed = exposed || operands_[std::size_t(rank)].exposed;
    }
    if (!all) return;
    const std::size_t piece = exposed ? make_stages(last) : std::max<std::size_t>(into.count, 1);
    for (std::size_t done = 0; done < into.count; done += piece) {
        const Slice part = into.part(done, std::min(piece, into.count - done));
        for (int rank = 0; rank < last; ++rank) {
            const auto [bytes, elsewhere] = operands_[std::size_t(rank)];
            const std::byte* const from = bytes == nullptr ? nullptr : bytes + done * memory_.put_size();
            std::byte* const stage = stages_.get() + Bytes(rank) * stage_;
            if (elsewhere && !copy(stage, rank, from, part.count)) return;
            pieces_[std::size_t(rank)] = elsewhere ? stage : from;
        }
        keeping_errors(memory_, [&] { memory_.fold(part, {pieces_.data(), std::size_t(last)}); });
    }
}

}  // namespace echelon
