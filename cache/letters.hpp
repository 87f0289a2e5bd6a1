// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/route.hpp"

#include <cstdint>
#include <list>
#include <optional>
#include <utility>
#include <vector>

namespace echelon {

/// Numbers of all ranks on their way while calls go on: to rank 0 of a communicator, for whom nobody waits but at the program's end; or in
/// rounds to all ranks. They travel over `route`, under a tag that nothing else has. All ranks begin the same of both at the same of their
/// common calls; what was under way before is given up. Local.
class Letters {
public:
    /// This rank's numbers, as many on all ranks, set out to rank 0.
    void send(std::vector<double> numbers, const Route& route);
    /// Some were sent, and neither read nor given up. The same on all ranks.
    bool under_way() const { return way_ == Way::to_first; }
    /// On rank 0: the least of each number over the ranks, if all have come.
    std::optional<std::vector<double>> least();

    /// They set out in rounds: a recursive doubling, each step of which sets out before one call and ends before the next. Where these calls
    /// synchronise, it has come then, and nobody waits. Requires: several ranks.
    void begin_rounds(std::vector<double> numbers, const Route& route);
    bool in_rounds() const { return way_ == Way::rounds; }
    /// One more such call begins. After as many on all ranks, the least of each number over them.
    std::optional<std::vector<double>> next_round();
    /// Some began since this was last asked. The same on all ranks.
    bool go_on() { return std::exchange(went_on_, false); }

    /// They were read, or are of no use any more. The same on all ranks.
    void give_up();
    /// What is under way or given up comes to its end among those of `others`.
    void leave_to(Letters& others);
    /// Waits until the last has come. All ranks must do so, in any order.
    void close();

private:
    /// Those of one time: this rank's, and the others' that come to it.
    struct Mail {
        std::vector<std::vector<double>> numbers;
        std::vector<MPI_Request> requests;
        bool has_come();
    };
    void set_out();

    enum class Way : std::uint8_t { none, to_first, rounds };
    std::list<Mail> mails_;  // the last one may be under way, those before are only to come to an end
    Way way_ = Way::none;
    // Of rounds.
    std::vector<double> least_;
    Route route_;
    int round_ = 0;
    bool went_on_ = false;
};

}  // namespace echelon
