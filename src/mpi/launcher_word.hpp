// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon {

/// A word that each rank leaves in the key-value space of its launcher before or in MPI_Init, in which the MPI
/// library itself makes it known to all: the ranks that have the drop-in library in front. MPI cannot tell who
/// they are, since whatever message of ours asks may be taken for one of the program's.
class LauncherWord {
public:
    /// Whether that rank of MPI_COMM_WORLD has left its word.
    using Read = bool (*)(int rank);

    static constexpr const char *key = "echelon", *value = "here";

    /// Before MPI_Init: over PMI-1, the protocol of Hydra and of the launchers made from it. Elsewhere nothing.
    static void leave();
    /// The word was left another way.
    static void left(Read read);
    /// For after MPI_Init; nullptr: there is no way to tell.
    static Read read();
};

}  // namespace echelon
