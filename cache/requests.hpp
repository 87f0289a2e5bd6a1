// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings/settings.hpp"

#include <mpi.h>

#include <cstdint>

namespace echelon {

class Process;

/// The settings and info keys of the ranks of a communicator, and the result of comparing them.
class Requests {
public:
    /// `process` must outlive this.
    Requests(MPI_Comm user, Process& process) : user_(user), process_(process) {}

    /// The settings of info keys; null if there are none.
    const Settings* keys() const { return keys_; }
    /// True if the ranks have compared their requests, in MPI_Init or later. Until then calls go native.
    bool settled() const { return settled_; }
    /// True if the requests of the ranks differ: calls go native.
    bool at_odds() const { return at_odds_; }

    /// Takes over the comparison of MPI_Init, unless info keys need another one. Local.
    void look_up();
    /// The communicator got its attributes back; `keys` are the settings of its info keys.
    void attach(const Settings* keys) { keys_ = settled_ ? keys : nullptr; }
    /// Info keys were set, perhaps different ones on each rank: the ranks must compare again before the keys
    /// count. Returns false if the settings differ anyway.
    bool unsettle();
    /// Begins a comparison: takes over the info keys and returns this rank's fingerprint for the others.
    std::uint64_t take();
    /// Ends the comparison with its result.
    void compared(bool alike);

private:
    /// True if settings differ by MPI_Init; this holds for the lifetime of the communicator.
    bool settings_differ() const;
    void say_at_odds() const;

    MPI_Comm user_;
    Process& process_;
    const Settings* keys_ = nullptr;
    bool at_odds_ = false, settled_ = false;
};

}  // namespace echelon
