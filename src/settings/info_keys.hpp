// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings/settings.hpp"

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

namespace echelon {

/// Echelon's info keys of a communicator. MPI libraries drop unknown keys; Echelon therefore stores its own
/// in an attribute. MPI_Comm_dup copies the attribute before MPI 4.0, and not since, like the standard
/// demands.
class InfoKeys {
public:
    /// Stores the pairs of `info` whose keys begin with `echelon_`; other keys of `comm` stay. Afterwards
    /// of() is not null, even if `info` has none of these keys. Returns a sentence for each wrong pair.
    /// Local.
    static std::vector<std::string> take(int keyval, MPI_Comm comm, MPI_Info info);
    /// Removes the keys that `comm` inherited.
    static void drop(int keyval, MPI_Comm comm);
    /// The settings in the keys of `comm`; null, on all ranks, if it was never given info. Valid until
    /// take(), drop() or the end of `comm`.
    static const Settings* of(int keyval, MPI_Comm comm);
    /// Removes the keys from a communicator that may be freed, and returns them; null if there are none.
    static std::unique_ptr<InfoKeys> detach(int keyval, MPI_Comm comm);
    /// Puts keys on a communicator, and returns their settings. Requires: keys that are not null.
    static const Settings* attach(int keyval, MPI_Comm comm, std::unique_ptr<InfoKeys> keys);
    /// Makes the key of the attribute for all functions above, once per process.
    static int make_keyval();

private:
    Settings asked_;
};

}  // namespace echelon
