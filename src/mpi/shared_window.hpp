// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/window.hpp"
#include "mpi/first_error.hpp"
#include "mpi/memory.hpp"
#include "shm/boards.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace echelon {

/// A window between processes of a node, for the calls that a Memory describes. A failure records its error
/// and the rounds continue: no other rank waits forever.
class SharedWindow final : public Window {
public:
    /// The memory and the error must outlive it.
    SharedWindow(Boards::Lease lease, Memory& memory, FirstError& first_error)
        : Window(lease.board().shape()),
          lease_(std::move(lease)),
          board_(&lease_.board()),
          memory_(memory),
          first_error_(first_error),
          operands_(std::size_t(board_->size())) {}

    void put(std::size_t round, Slice what, std::size_t whole) override;
    void expose(std::size_t round, Slice what) override;
    void offer(std::size_t round, Slice into) override;
    void accept(std::size_t round) override;
    void give(std::size_t round, int owner, std::size_t offset, Slice what) override;
    void withdraw(std::size_t rounds) override { board_->await_left(board_->next_round + rounds); }
    void get(std::size_t round, int owner, std::size_t offset, Slice into) override;
    void fold(std::size_t round, int last, std::size_t offset, Slice into) override;
    std::size_t whole(std::size_t round, int owner, std::size_t expected) override;
    void differ(std::size_t sent, std::size_t expected) override;
    void leave(std::size_t rounds) override { board_->leave(board_->next_round + rounds); }
    void end(std::size_t rounds) override {
        leave(rounds);
        board_->next_round += rounds;
    }

    /// This rank can read and write the memory of all others.
    bool reaches_all() const { return board_->reaches_all(); }

private:
    template <class Work>
    void keeping_errors(const Work& work);
    /// Waits for the elements that a rank puts in a round; nothing if it puts fewer, or for another
    /// communicator.
    std::optional<Board::Put> elements(int owner, std::size_t round, std::size_t offset, std::size_t count);
    /// Copies exposed elements.
    void copy(void* into, int owner, const std::byte* from, std::size_t count);

    const Boards::Lease lease_;
    Board* const board_;
    Memory& memory_;
    FirstError& first_error_;
    std::vector<const std::byte*> operands_;  // of fold()
    /// Elements without a window's layout are offered as a packed copy, which accept() unpacks.
    struct Offer {
        std::size_t round;
        Slice into;
        const std::byte* packed;
    };
    std::vector<Offer> offers_;
    /// A buffer for exposed elements that must be unpacked, in pieces.
    std::vector<std::byte> stage_;
};

}  // namespace echelon
