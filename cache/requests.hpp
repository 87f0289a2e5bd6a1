// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/settings.hpp"

#include <mpi.h>

#include <cstdint>

namespace echelon {

class Process;

/// What the ranks of a communicator were asked for, by settings and info keys, and whether that is the same on all of them.
class Requests {
public:
    /// `process` must outlive it.
    Requests(MPI_Comm user, Process& process) : user_(user), process_(process) {}

    /// What info keys ask for here; nullptr for nothing.
    const Settings* keys() const { return keys_; }
    /// It was compared, in MPI_Init or since. Until then calls go native.
    bool settled() const { return settled_; }
    /// The ranks were asked for different things; they go native.
    bool at_odds() const { return at_odds_; }

    /// Takes over what was told in MPI_Init. Local.
    void look_up();
    /// The communicator got its attributes back, `keys` among them.
    void attach(const Settings* keys) { keys_ = settled_ ? keys : nullptr; }
    /// Keys were given, perhaps different ones on different ranks: they hold when the ranks have settled. False: they mend
    /// nothing, for the settings differ.
    bool unsettle();
    /// The ranks compare it now: this rank's, to be shown to the others, and what they have seen.
    std::uint64_t take();
    void compared(bool alike);

private:
    /// By what is known since MPI_Init; for as long as the communicator lives.
    bool settings_differ() const;
    void say_at_odds() const;

    MPI_Comm user_;
    Process& process_;
    const Settings* keys_ = nullptr;
    bool at_odds_ = false, settled_ = false;
};

}  // namespace echelon
