// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace echelon {

/// The part that this process takes in Echelon.
enum class Presence : std::uint8_t {
    /// MPI runs without MPI_Init or without the drop-in library (MPI sessions, or libechelon alone). Each
    /// communicator exchanges its own facts.
    apart,
    /// MPI_Init runs, called through the drop-in library. Echelon serves no call.
    starting,
    /// The drop-in library saw MPI_Init, in which all ranks exchange their facts.
    seen,
    /// MPI_Init went past the drop-in library. Calls by MPI's names are native: the other ranks take this one
    /// for a rank without the library, and this one cannot tell if they have it. Calls of Echelon's own
    /// functions are like `apart`, as all ranks make them.
    unseen,
    /// Another rank of MPI_COMM_WORLD is unseen or has no library. Echelon serves calls like `unseen`.
    off
};

/// The presence as it was last looked at; `apart` may be `unseen` by now.
inline std::atomic<Presence> last_presence = Presence::apart;

/// This process's presence. Local. Safe to call from any thread.
Presence presence();
/// True if the drop-in library saw MPI_Init, and all ranks have it. As quick as a read of memory.
inline bool is_seen() { return last_presence.load(std::memory_order_relaxed) == Presence::seen; }
/// True if Echelon must serve no call by a name of MPI, which other ranks may lack. Local. Safe to call from
/// any thread.
inline bool names_stay_native() {
    const Presence own = presence();
    return own == Presence::unseen || own == Presence::off;
}
/// Requires: the thread that initialises MPI.
void set_presence(Presence presence);

}  // namespace echelon
