// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/route.hpp"

#include <list>
#include <vector>

namespace echelon {

/// A nonblocking reduction of some numbers to rank 0, over a binomial tree: no rank waits for another. It
/// advances when step() is called, and travels over a route under a tag of its own. All ranks begin it in the
/// same one of their common calls. All functions are local.
class AsyncReduction {
public:
    /// Begins with this rank's numbers: minima are taken of the first ones, sums of the others. Requires:
    /// none is under way; equally many numbers on all ranks.
    void begin(std::vector<double> minima, const std::vector<double>& sums, const Route& route);
    /// True between begin() and leave_to().
    bool under_way() const { return under_way_; }
    /// Counts a call, and passes on the numbers that have arrived. `synchronises`: no rank leaves the call
    /// before all have entered it; after has_had_time() rank 0 waits for the result there.
    void step(bool synchronises);
    /// True after as many calls as the tree has levels: the result has almost surely arrived.
    bool has_had_time() const { return age_ >= levels(); }
    /// True if this rank has nothing left to receive. On rank 0 the result is there.
    bool is_complete() const { return !mails_.empty() && mails_.back().sent; }
    /// The numbers that have arrived; on rank 0 of a complete reduction, the result. Requires: under_way().
    const std::vector<double>& numbers() const { return mails_.back().numbers; }
    /// Ends the reduction, complete or not: its messages complete among those of `others`. All ranks call it
    /// alike. `sends`: false if the library takes no more messages.
    void leave_to(AsyncReduction& others, bool sends = true);
    /// Waits until all messages have completed. All ranks must do this, in any order.
    void close();

private:
    struct Mail {
        std::vector<double> numbers;
        /// Numbers of the ranks below, in the order of `receives`.
        std::vector<std::vector<double>> below;
        std::vector<MPI_Request> receives;
        MPI_Request send = MPI_REQUEST_NULL;
        bool sent = false;
        bool is_over();
    };
    int levels() const;
    void send_up(Mail& mail);

    bool under_way_ = false;
    int age_ = 0;
    std::size_t minima_ = 0;
    Route route_;
    std::list<Mail> mails_;  // the last one may be under way, the others only have to complete
};

}  // namespace echelon
