// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace echelon {

/// Ranks of MPI_COMM_WORLD that called MPI_Init without the drop-in library or past it, found in MPI_Init by
/// a rank that called it through the library.
struct Absence {
    /// The lowest absent rank that this rank found; true if this rank tells the user.
    int rank;
    bool speaks;
    std::string sentence() const {
        return "rank " + std::to_string(rank) +
               " began MPI without Echelon's library in front, which all ranks need or none; all MPI calls stay with the MPI library";
    }
};

/// Finds absent ranks. Returns nothing if all ranks are present, or if the launcher cannot tell. All present
/// ranks agree whether ranks are absent; the rank that they name may differ. They send messages to each other
/// only: each rank reads the words of its neighbours in a binomial tree (LauncherWord) before it sends to
/// them. Collective over the present ranks. Requires: a call in MPI_Init, before the first message.
std::optional<Absence> find_absence();

}  // namespace echelon
