// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "groups/parts.hpp"
#include "hier/phase.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace echelon {

struct Call;
struct PackedSchedule;

/// Limit on the messages of a schedule that is replayed as a whole on p ranks.
constexpr std::size_t most_replayed_messages(int p) {
    return std::size_t(std::clamp(150 * std::int64_t(p), std::int64_t(20'000), std::int64_t(60'000)));
}

/// Limit on the messages of all schedules of a quick decision whose load is added up: some ten schedules on
/// few ranks, four on many.
constexpr std::size_t most_loaded_messages(int p) { return 1024 + 4 * std::size_t(p); }

/// Times of recipes on a machine's communicator by replay of their recorded schedules. Recipes with native
/// parts have no time here. Not thread-safe.
class Replay {
public:
    /// The nodes of the machine become the placement's nodes.
    Replay(Machine machine, Placement placement);
    /// Times on the first of several disjoint communicators that call at the same time.
    Replay(Machine machine, const Placement& placement, Siblings communicators);
    ~Replay();

    /// Empty if the recipe has native parts, cannot serve the call (resolve() gives the reason), or takes
    /// more than `most` messages. `busiest`: receives a lower bound, the work of the busiest port, card or
    /// processor.
    std::optional<Seconds> operator()(const Recipe& recipe, Collective collective, Bytes bytes,
                                      Operation operation, std::size_t most = ~std::size_t(0),
                                      Seconds* busiest = nullptr);
    /// Time of several calls, one after the other without a synchronisation: one for each root, or for the
    /// last rank of a communicator with fewer ranks.
    std::optional<Seconds> row(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation,
                               std::span<const int> roots, std::size_t most);
    /// The lower bound alone, without a replay.
    std::optional<Seconds> busiest(const Recipe& recipe, Collective collective, Bytes bytes,
                                   Operation operation, std::size_t most);

    /// Number of ranks of the machine.
    int ranks() const { return int(communicator_of_.size()); }
    /// Number of replayed messages, as a measure of work.
    std::size_t messages() const { return messages_; }
    const Machine& machine() const { return machine_; }

private:
    struct Ground;
    class GroundTeam;
    class Meaning;
    struct Communicator {
        Ranks ranks;  // as ranks of the machine
        std::unique_ptr<Ground> ground;
    };

    std::optional<PackedSchedule> packed(const Recipe& recipe, Collective collective, Bytes bytes,
                                         Operation operation, std::size_t most,
                                         std::span<const int> roots = only_first);
    /// Time at which the last rank of the first communicator is done.
    std::optional<Seconds> finish(const PackedSchedule& schedule) const;

    static constexpr std::array only_first{0};
    Machine machine_;
    std::vector<Communicator> communicators_;
    std::vector<int> communicator_of_;  // by rank of the machine; -1: none
    std::size_t messages_ = 0;
};

/// The call that a replay makes for `bytes` bytes: elements of 4 bytes if 4 divides them, else of 1. An
/// alltoall gets blocks of equal length, rounded up.
Call replayed_call(Collective collective, Bytes bytes, int p, Operation operation);

}  // namespace echelon
