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

/// The boards that this process has with others of its node: one for each row of processes, which all communicators of these processes in this
/// order use, one after the other. It stays for the next one when they are freed.
///
/// A board is one sequence of rounds, and a rank goes through it in the order of its calls. So a board may serve several communicators if that order
/// is the same on all ranks. It is where processes make one call at a time: "collective operations must be executed in an order so that no
/// cyclic dependencies occur" (MPI, Correctness of collectives), so those on two communicators follow each other alike on all
/// processes of both. Where threads call at once no such order is, and a board serves one communicator at a time. That all ranks
/// have done with the last, and stand at the same round, they settle when a window opens (mpi/open_window): what one of them has
/// there, another may have given up.
///
/// Safe to use from several threads.
class Boards {
    struct One;

public:
    /// A row of processes, by numbers that each has on all others; empty: nothing is known of them, and their boards are their own.
    using Processes = std::vector<int>;
    using Progress = Machinery::Progress;
    /// Whether calls on several communicators of this process may be under way at the same time.
    enum class Calls : bool { in_turn, at_once };

    /// A place in the memory that a process may hold of boards: its own rows, so that a node's memory is the sum over its processes.
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

    /// Somebody uses a board, as long as it lives.
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
        /// The board's: the same on all of its ranks, and another's nowhere.
        std::uint64_t mark() const;
        /// This user's, as rank 0 numbers those of a board: what is put for one is none of another's.
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

    /// Up to so many bytes of own rows.
    explicit Boards(Bytes most) : most_(most) {}
    Boards(const Boards&) = delete;
    Boards& operator=(const Boards&) = delete;

    /// One that these processes have and may use; none: there is none. Who waits there calls `progress`.
    Lease find(const Processes& processes, Calls calls, Progress progress);
    /// The one of that mark, if this process may use it and stands at that round.
    Lease find(std::uint64_t mark, std::uint64_t round, Calls calls, Progress progress);
    /// For so many bytes, for which boards that nobody uses are given up; not granted if there are not so many.
    Share grant(Bytes bytes);
    /// A new one. `size` ranks have the segment, of which this is `rank`; it waits so, but that it makes messages of the board's users move.
    struct Place {
        int rank, size;
        WindowShape shape;
        Patience patience;
    };
    Lease enter(Processes processes, Share share, Segment segment, const Place& place, Progress progress);
    /// Nobody finds it any more; who uses it keeps it.
    void forget(const Lease& lease);
    /// All of them.
    void forget_all();

    /// Bytes that are held, the most that ever were, and may be.
    Bytes held() const { return held_; }
    Bytes most_held() const { return most_held_; }
    Bytes most() const { return most_; }

private:
    /// That nobody uses, and are kept for who comes next.
    static constexpr int most_idle = 4;
    template <class Fits>
    Lease find_if(const Fits& fits, Calls calls, Progress progress);
    void give_back(const Lease& lease);
    /// The one that was given back first, if there are more that nobody uses. False: there are not. Requires: the lock.
    bool drop_idle(int beyond);

    const Bytes most_;
    std::atomic<Bytes> held_ = 0, most_held_ = 0;
    std::mutex mutex_;
    std::vector<std::shared_ptr<One>> all_;  // those given back last come last
};

}  // namespace echelon
