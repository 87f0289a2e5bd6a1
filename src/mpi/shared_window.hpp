// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/window.hpp"
#include "mpi/memory.hpp"
#include "shm/board.hpp"

#include <memory>
#include <optional>
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
          operands_(std::size_t(board_->size())),
          pieces_(std::size_t(board_->size())) {}

    void put(std::size_t round, Slice what) override;
    void expose(std::size_t round, Slice what) override;
    void offer(std::size_t round, Slice into) override;
    void accept(std::size_t round) override;
    void give(std::size_t round, int owner, std::size_t offset, Slice what) override;
    void withdraw(std::size_t rounds) override { board_->await_left(board_->next_round + rounds); }
    void get(std::size_t round, int owner, std::size_t offset, Slice into) override;
    void fold(std::size_t round, int last, std::size_t offset, Slice into) override;
    void leave(std::size_t rounds) override { board_->leave(board_->next_round + rounds); }
    void end(std::size_t rounds) override {
        leave(rounds);
        board_->next_round += rounds;
    }

private:
    /// Elements that a rank put.
    struct Operand {
        const std::byte* bytes;  // nullptr: the own ones
        bool exposed;            // there, with the owner
    };
    /// When they are there; nullopt: it put fewer.
    std::optional<Operand> elements(int owner, std::size_t round, std::size_t offset, std::size_t count);
    bool copy(void* into, int owner, const std::byte* from, std::size_t count);
    /// What is exposed and cannot be copied to where it belongs goes by pieces through places, one for each
    /// owner, that stay in the second cache: so many elements at a time.
    std::size_t make_stages(int owners);

    std::shared_ptr<Board> board_;
    Memory& memory_;
    std::vector<Operand> operands_;
    std::vector<const std::byte*> pieces_;
    /// What cannot be written where it lies is given to a packed copy.
    struct Offer {
        std::size_t round;
        Slice into;
        const std::byte* packed;
    };
    std::vector<Offer> offers_;
    std::unique_ptr<std::byte[]> stages_;
    Bytes stages_size_ = 0, stage_ = 0;  // of all, of one
};

}  // namespace echelon
