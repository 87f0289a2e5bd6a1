// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/route.hpp"

#include <list>
#include <optional>
#include <vector>

namespace echelon {

/// Numbers of all ranks on their way to rank 0 of a communicator. Nobody waits for them but at the program's end.
class Letters {
public:
    /// This rank's numbers, as many on all ranks, set out to rank 0. They are sent over `route`, under a tag that nothing else has. All ranks
    /// send at the same of their common calls; local.
    void send(std::vector<double> numbers, const Route& route);
    /// Some were sent, and neither read nor given up. The same on all ranks.
    bool under_way() const { return under_way_; }
    /// On rank 0: the least of each number over the ranks, if all have come.
    std::optional<std::vector<double>> least();
    /// They were read, or are of no use any more. The same on all ranks.
    void give_up();
    /// What is under way or given up comes to its end among those of `others`.
    void leave_to(Letters& others);
    /// Waits until the last has come. All ranks must do so, in any order.
    void close();

private:
    /// Those of one time: this rank's, and on rank 0 the others'.
    struct Mail {
        std::vector<std::vector<double>> numbers;
        std::vector<MPI_Request> requests;
        bool has_come();
    };
    std::list<Mail> mails_;  // the last one may be under way, those before are only to come to an end
    bool under_way_ = false;
};

}  // namespace echelon
