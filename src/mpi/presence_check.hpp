// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace echelon {

/// Ranks of MPI_COMM_WORLD without the drop-in library, found in MPI_Init by a rank that has it.
struct Absence {
    /// The lowest absent rank that this rank found; true if this rank tells the user.
    int rank;
    bool speaks;
    std::string sentence() const {
        return "rank " + std::to_string(rank) +
               " was started without Echelon's library in front, which all ranks need or none; all calls stay with the MPI library";
    }
};

/// Finds ranks without the drop-in library. Returns nothing if all ranks have it, or if the launcher cannot
/// tell. All ranks with the library agree whether ranks are absent; the rank that they name may differ. They
/// send messages to each other only: each rank reads the words of its neighbours in a binomial tree
/// (LauncherWord) before it sends to them. Collective over the ranks with the library. Requires: a call in
/// MPI_Init, before the first message.
std::optional<Absence> find_absence();

}  // namespace echelon
