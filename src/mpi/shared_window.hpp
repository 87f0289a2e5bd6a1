// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/window.hpp"
#include "mpi/memory.hpp"
#include "shm/board.hpp"

#include <memory>
#include <vector>

namespace echelon {

/// A window between processes of a node, for the calls that a memory describes. What fails leaves its error
/// in the memory, and the rounds go on, so that no other rank waits for ever.
class SharedWindow final : public Window {
public:
    /// The memory must outlive it.
    SharedWindow(std::shared_ptr<Board> board, Memory& memory)
        : Window(board->shape()),
          board_(std::move(board)),
          memory_(memory),
          operands_(std::size_t(board_->size())) {}

    void put(std::size_t round, Slice what) override;
    void get(std::size_t round, int owner, std::size_t offset, Slice into) override;
    void fold(std::size_t round, int last, std::size_t offset, Slice into) override;
    void leave(std::size_t rounds) override { board_->leave(board_->next_round + rounds); }
    void end(std::size_t rounds) override {
        leave(rounds);
        board_->next_round += rounds;
    }

private:
    /// Where these elements of what a rank put lie, when they are there; nullptr: it put fewer.
    const std::byte* elements(int owner, std::size_t round, std::size_t offset, std::size_t count);

    std::shared_ptr<Board> board_;
    Memory& memory_;
    std::vector<const std::byte*> operands_;
};

}  // namespace echelon
