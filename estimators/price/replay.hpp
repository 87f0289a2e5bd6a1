// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "groups/parts.hpp"
#include "hier/phase.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace echelon {

struct Call;

/// Schedules of more messages on so many ranks are not replayed as a whole: about 1 us each.
constexpr std::size_t most_replayed_messages(int p) {
    return std::size_t(std::clamp(150 * std::int64_t(p), std::int64_t(20'000), std::int64_t(60'000)));
}

/// What recipes take on the communicator of a machine: their recorded schedules, replayed. Recipes with
/// native parts have none that is known here. Not for several threads.
class Replay {
public:
    /// The machine's nodes are those of the placement.
    Replay(Machine machine, Placement placement);
    /// On the first of several communicators without a common rank, all of which are called at the same time.
    Replay(Machine machine, const Placement& placement, Siblings communicators);
    ~Replay();

    /// Nothing where the recipe has native parts, cannot serve the call (resolve() says why), or would take
    /// more than `most` messages. `busiest`: gets what the busiest port, card or processor had to do at least.
    std::optional<Seconds> operator()(const Recipe& recipe, Collective collective, Bytes bytes,
                                      Operation operation, std::size_t most = ~std::size_t(0),
                                      Seconds* busiest = nullptr);

    /// Of the machine.
    int ranks() const { return int(communicator_of_.size()); }
    /// Messages replayed so far: what the work is measured in.
    std::size_t messages() const { return messages_; }
    const Machine& machine() const { return machine_; }

private:
    struct Ground;
    class GroundTeam;
    class Meaning;
    struct Communicator {
        Ranks ranks;  // of the machine's
        std::unique_ptr<Ground> ground;
    };

    Machine machine_;
    std::vector<Communicator> communicators_;
    std::vector<int> communicator_of_;  // by the machine's ranks; -1: none
    std::size_t messages_ = 0;
};

/// A call of so many bytes as replays make it: of elements of 4 bytes where that comes out even, of blocks of
/// equal length where it must.
Call replayed_call(Collective collective, Bytes bytes, int p, Operation operation);

}  // namespace echelon
