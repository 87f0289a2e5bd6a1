// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shm/board.hpp"
#include "shm/segment.hpp"

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace echelon {

/// The boards that this process shares with others of its node. There is one board per ordered list of
/// processes; all communicators of these processes in this order use it one after the other. It stays for the
/// next communicator when they are freed.
///
/// A board is one sequence of rounds, and a rank goes through it in the order of its calls. A board may
/// therefore serve several communicators if this order is equal on all ranks. It is equal if processes make
/// one call at a time: MPI requires collectives to be executed in an order without cyclic dependencies
/// (Correctness of collectives), and the calls on two communicators follow each other alike on all processes
/// of both. If threads call concurrently there is no common order, and a board serves one communicator at a
/// time. The ranks agree on a board when a window opens (mpi/open_window): all of them must have finished
/// with the last communicator and stand at the same round, because one rank may hold a board that another has
/// dropped.
///
/// Safe to use from several threads.
class Boards {
    struct One;

public:
    /// A list of processes, by numbers that are equal on all of them. Empty: the numbers are unknown, and the
    /// board serves one communicator only.
    using Processes = std::vector<int>;
    using Progress = Machinery::Progress;
    /// Tells if calls on several communicators of this process may be under way at the same time.
    enum class Calls : bool { in_turn, at_once };

    /// A share of the memory that a process may hold for boards. It counts the process's own rows: the memory
    /// of a node is the sum over its processes.
    class Share {
    public:
        Share(Boards& boards, Bytes bytes) : boards_(&boards), bytes_(bytes) {}
        Share(Share&& other) noexcept : boards_(other.boards_), bytes_(std::exchange(other.bytes_, 0)) {}
        ~Share() { boards_->held_ -= bytes_; }
        bool is_granted() const { return bytes_ > 0; }

    private:
        Boards* boards_;
        Bytes bytes_;
    };

    /// The right to use a board, for the lifetime of the lease.
    class Lease {
    public:
        Lease() = default;
        Lease(Lease&& other) noexcept = default;
        Lease& operator=(Lease&& other) noexcept {
            std::swap(boards_, other.boards_);
            std::swap(one_, other.one_);
            std::swap(user_, other.user_);
            std::swap(number_, other.number_);
            return *this;
        }
        ~Lease() {
            if (one_ != nullptr) boards_->give_back(*this);
        }
        explicit operator bool() const { return one_ != nullptr; }
        Board& board() const;
        /// Mark of the board: equal on all of its ranks, different from the marks of other boards.
        std::uint64_t mark() const;
        /// Number of this user of the board, as assigned by rank 0. Data of another number belongs to another
        /// user.
        std::uint16_t user() const { return number_; }
        void set_user(std::uint16_t number) { number_ = number; }

    private:
        friend class Boards;
        Lease(Boards& boards, std::shared_ptr<One> one, Progress progress);
        Boards* boards_ = nullptr;
        std::shared_ptr<One> one_;
        std::list<Progress>::iterator user_;
        std::uint16_t number_ = 0;
    };

    /// `most`: limit in bytes for the own rows.
    explicit Boards(Bytes most) : most_(most) {}
    Boards(const Boards&) = delete;
    Boards& operator=(const Boards&) = delete;

    /// A board that these processes share and may use; empty if there is none. A rank that waits on it calls
    /// `progress`.
    Lease find(const Processes& processes, Calls calls, Progress progress);
    /// The board of this mark, if this process may use it and stands at this round; else empty.
    Lease find(std::uint64_t mark, std::uint64_t round, Calls calls, Progress progress);
    /// A share of `bytes`. Unused boards are dropped to make room; the share is not granted if that is not
    /// enough.
    Share grant(Bytes bytes);
    /// The place of this process on a new board: `rank` of the `size` ranks that have the segment. It waits
    /// with `patience`, but calls the `progress` of the board's users.
    struct Place {
        int rank, size;
        WindowShape shape;
        Patience patience;
    };
    /// Makes a new board.
    Lease enter(Processes processes, Share share, Segment segment, const Place& place, Progress progress);
    /// Hides a board from find(); its users keep it.
    void forget(const Lease& lease);
    /// Hides all boards from find().
    void forget_all();

    /// Bytes that are held, the most that were held at a time, and the limit.
    Bytes held() const { return held_; }
    Bytes most_held() const { return most_held_; }
    Bytes most() const { return most_; }

private:
    /// Number of unused boards that are kept.
    static constexpr int most_idle = 4;
    template <class Fits>
    Lease find_if(const Fits& fits, Calls calls, Progress progress);
    void give_back(const Lease& lease);
    /// Drops the unused board that was returned first, if more than `beyond` are unused. Returns false
    /// otherwise. Requires: the lock.
    bool drop_idle(int beyond);

    const Bytes most_;
    std::atomic<Bytes> held_ = 0, most_held_ = 0;
    std::mutex mutex_;
    std::vector<std::shared_ptr<One>> all_;  // the last one returned comes last
};

}  // namespace echelon
