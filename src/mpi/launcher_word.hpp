// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon {

/// A word in the launcher's key-value space. Each rank that calls MPI_Init through the drop-in library puts
/// it there before or in MPI_Init, and the MPI library's own exchange in MPI_Init publishes it: ranks then
/// know which ranks take part. MPI messages cannot ask: another rank might take them for the program's.
class LauncherWord {
public:
    /// Returns true if that rank of MPI_COMM_WORLD has left its word.
    using Read = bool (*)(int rank);

    static constexpr const char *key = "echelon", *value = "here";

    /// Puts the word over PMI-1, the protocol of Hydra and its derivatives; with other launchers it does
    /// nothing. Requires: before MPI_Init.
    static void leave();
    /// Registers the reader of a word that was put another way.
    static void left(Read read);
    /// The reader, for use after MPI_Init; null if there is no way to tell.
    static Read read();

    /// Registers that the MPI library exchanged the ranks' data outside of a seen MPI_Init. Open MPI 5 does
    /// it for MPI sessions.
    static void miss();
    /// True if the other ranks cannot find this rank's word.
    static bool missed();
};

}  // namespace echelon
