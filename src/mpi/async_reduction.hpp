// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/route.hpp"

#include <cstdint>
#include <list>
#include <optional>
#include <utility>
#include <vector>

namespace echelon {

/// A nonblocking minimum over all ranks, delivered to rank 0 or, in rounds, to all. It advances one step per
/// collective call and travels over `route` under a tag of its own. All ranks begin the same kind in the same
/// one of their common calls; it replaces a reduction that is under way. All functions are local.
class AsyncReduction {
public:
    /// Sends this rank's numbers, equally many on all ranks, to rank 0.
    void send(std::vector<double> numbers, const Route& route);
    /// Numbers were sent, and neither read nor given up; equal on all ranks.
    bool under_way() const { return way_ == Way::to_first; }
    /// On rank 0: the minimum of each number over the ranks, if all have arrived.
    std::optional<std::vector<double>> least();

    /// Begins a recursive doubling. Each step starts before one call and ends before the next: between
    /// synchronising calls its messages arrive without a wait. Requires: several ranks.
    void begin_rounds(std::vector<double> numbers, const Route& route);
    bool in_rounds() const { return way_ == Way::rounds; }
    /// Counts one more of these calls. After the last step, on all ranks: the minimum of each number over the
    /// ranks.
    std::optional<std::vector<double>> next_round();
    /// True if a round began since the last question; equal on all ranks.
    bool go_on() { return std::exchange(went_on_, false); }

    /// The numbers were read, or are of no more use. All ranks call it alike.
    void give_up();
    /// Messages under way or given up complete among the messages of `others`.
    void leave_to(AsyncReduction& others);
    /// Waits until all messages have completed. All ranks must do this, in any order.
    void close();

private:
    /// One step: this rank's numbers, and the numbers that it receives.
    struct Mail {
        std::vector<std::vector<double>> numbers;
        std::vector<MPI_Request> requests;
        bool has_come();
    };
    void set_out();

    enum class Way : std::uint8_t { none, to_first, rounds };
    std::list<Mail> mails_;  // the last one may be under way, the others only have to complete
    Way way_ = Way::none;
    // The state of a reduction in rounds.
    std::vector<double> least_;
    Route route_;
    int round_ = 0;
    bool went_on_ = false;
};

}  // namespace echelon
