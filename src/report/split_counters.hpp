// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon {

/// Cost of dividing a communicator, counted on this rank.
struct SplitCounters {
    long splits = 0;      ///< Sub-communicators of this rank that were made: two per division.
    long translated = 0;  ///< Divisions without communicators of their own.
    long hits = 0;        ///< Look-ups of existing divisions.
    double seconds = 0;   ///< Time in MPI_Comm_split.
};

}  // namespace echelon
