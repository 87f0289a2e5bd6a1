// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace echelon {

/// Ranks of MPI_COMM_WORLD without the drop-in library, as one rank with it finds them in MPI_Init.
struct Absence {
    /// The first that is known to this rank, and whether this rank tells the user.
    int rank;
    bool speaks;
    std::string sentence() const {
        return "rank " + std::to_string(rank) +
               " was started without Echelon's library in front, which all ranks need or none; all calls stay with the MPI library";
    }
};

/// Nothing: all ranks have it, or the launcher cannot tell. The same answer, but for which rank, on all ranks
/// that have it. They alone talk: each reads the words of its neighbours in a tree (LauncherWord) before it
/// sends to them. Collective over those that have it, and to be called in MPI_Init, where none of them has
/// sent anything yet.
std::optional<Absence> find_absence();

}  // namespace echelon
