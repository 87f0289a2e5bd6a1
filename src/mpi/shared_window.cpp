// SPDX-License-Identifier: Apache-2.0
#include "mpi/shared_window.hpp"

#include "core/say.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>

namespace echelon {
namespace {

/// One rank tells why copies between processes fail, at the first failure.
void tell_once(Board& board, int error) {
    static std::atomic<bool> told = false;
    if (told.exchange(true) || !board.is_first_to_tell()) return;
    say("a rank cannot read or write the memory of another any more (" +
        std::generic_category().message(error) +
        "): ranks copy long vectors through shared memory instead; ECHELON_WINDOW=read=off does so from the "
        "start");
}

}  // namespace

/// Runs `work` and keeps its error: the rounds continue.
template <class Work>
void SharedWindow::keeping_errors(const Work& work) {
    try {
        work();
    } catch (const MpiError& error) {
        first_error_.keep(error.code, "shared memory");
    }
}

void SharedWindow::put(std::size_t round, Slice what, std::size_t whole) {
    const std::uint64_t own = board_->next_round + round;
    const Bytes each = memory_.put_size();
    std::byte* const slot = board_->fill(own, what.count * each, lease_.user(), whole * each);
    keeping_errors([&] { memory_.put(slot, what); });
    board_->filled(own);
}

void SharedWindow::expose(std::size_t round, Slice what) {
    const std::byte* where = nullptr;
    keeping_errors([&] { where = memory_.exposed(what); });
    board_->expose(board_->next_round + round, where, where == nullptr ? 0 : what.count * memory_.put_size(),
                   lease_.user());
}

std::optional<Board::Put> SharedWindow::elements(int owner, std::size_t round, std::size_t offset,
                                                 std::size_t count) {
    const Board::Put put = board_->put_by(owner, board_->next_round + round);
    const Bytes from = offset * memory_.put_size(), bytes = count * memory_.put_size();
    if (put.user != lease_.user())
        first_error_.keep_found(MPI_ERR_OTHER,
                                "ranks call collectives on two communicators in different orders");
    else if (from + bytes <= put.count)
        return Board::Put{put.bytes + from, bytes, put.exposed, put.user, put.whole};
    else
        first_error_.keep_found(MPI_ERR_TRUNCATE, "ranks give different lengths");
    return std::nullopt;
}

std::size_t SharedWindow::whole(std::size_t round, int owner, std::size_t expected) {
    const Board::Put put = board_->put_by(owner, board_->next_round + round);
    const Bytes each = memory_.put_size();
    const bool as_expected = put.whole == expected * each || put.user != lease_.user();
    return as_expected ? expected : put.whole / each;
}

void SharedWindow::differ(std::size_t sent, std::size_t expected) {
    if (sent > expected)
        first_error_.keep_found(MPI_ERR_TRUNCATE, "the root sends more than this rank expects");
    else if (quirks::reports_short_data && sent < expected)
        first_error_.keep_found(MPI_ERR_OTHER, "the root sends less than this rank expects");
}

void SharedWindow::copy(void* into, int owner, const std::byte* from, std::size_t count) {
    const Bytes bytes = count * memory_.put_size();
    const int error = board_->copy(into, owner, from, bytes);
    if (error == 0) return;
    tell_once(*board_, error);
    board_->copy_by_owner(into, owner, from, bytes);
}

void SharedWindow::offer(std::size_t round, Slice into) {
    const std::byte* where = nullptr;
    keeping_errors([&] {
        if (memory_.lies_as_in_window())
            where = memory_.exposed_into(into);
        else
            offers_.push_back({round, into, where = memory_.exposed(into)});
    });
    board_->expose(board_->next_round + round, where, where == nullptr ? 0 : into.count * memory_.put_size(),
                   lease_.user());
}

void SharedWindow::accept(std::size_t round) {
    std::erase_if(offers_, [&](const Offer& one) {
        if (one.round == round) keeping_errors([&] { memory_.get(one.into, one.packed); });
        return one.round == round;
    });
}

void SharedWindow::give(std::size_t round, int owner, std::size_t offset, Slice what) {
    const auto found = elements(owner, round, offset, what.count);
    if (!found || what.empty()) return;
    const std::byte* from = nullptr;
    keeping_errors([&] { from = memory_.exposed(what); });
    if (from == nullptr) return;
    const Bytes bytes = what.count * memory_.put_size();
    const int error = board_->give(owner, found->bytes, from, bytes);
    if (error == 0) return;
    tell_once(*board_, error);
    board_->give_by_owner(owner, found->bytes, from, bytes);
}

void SharedWindow::get(std::size_t round, int owner, std::size_t offset, Slice into) {
    const auto found = elements(owner, round, offset, into.count);
    if (!found || into.empty()) return;
    const std::byte* const from = found->bytes;
    if (!found->exposed) return keeping_errors([&] { memory_.get(into, from); });
    if (memory_.lies_as_in_window()) {
        keeping_errors([&] { copy(memory_.exposed_into(into), owner, from, into.count); });
        return;
    }
    constexpr Bytes near = Bytes(64) << 10;  // fits into the second-level cache
    const std::size_t piece = std::max<std::size_t>(near / memory_.put_size(), 1);
    stage_.resize(piece * memory_.put_size());
    for (std::size_t done = 0; done < into.count; done += piece) {
        const Slice part = into.part(done, std::min(piece, into.count - done));
        copy(stage_.data(), owner, from + done * memory_.put_size(), part.count);
        keeping_errors([&] { memory_.get(part, stage_.data()); });
    }
}

void SharedWindow::fold(std::size_t round, int last, std::size_t offset, Slice into) {
    bool all = true;
    for (int rank = 0; rank < last; ++rank) {
        if (rank == board_->rank()) continue;
        const auto found = elements(rank, round, offset, into.count);
        all = all && found;
        operands_[std::size_t(rank)] = found ? found->bytes : nullptr;
    }
    if (all) keeping_errors([&] { memory_.fold(into, {operands_.data(), std::size_t(last)}); });
}

}  // namespace echelon
