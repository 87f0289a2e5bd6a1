// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/settings.hpp"

#include <mpi.h>

#include <memory>

namespace echelon {

class Process;

/// Info keys that a communicator was given. MPI libraries drop keys that they do not know, so Echelon
/// remembers its own, as an attribute that is inherited as the standard says: by MPI_Comm_dup before MPI 4.0,
/// not since.
class InfoKeys {
public:
    /// Remembers what `info` says to Echelon about `comm`; what it does not name stays as it was. Even if
    /// that is nothing, which may be so on one rank alone. Local.
    static void take(Process& process, MPI_Comm comm, MPI_Info info);
    /// Forgets what `comm` inherited.
    static void drop(Process& process, MPI_Comm comm);
    /// What was asked for on `comm`; nullptr if it was never given info, on all ranks alike. Valid until
    /// take() or drop(), or until it is freed.
    static const Settings* of(const Process& process, MPI_Comm comm);
    /// Takes them off a communicator that may be freed, and puts them back; nullptr: there are none.
    static std::unique_ptr<InfoKeys> detach(const Process& process, MPI_Comm comm);
    static const Settings* attach(const Process& process, MPI_Comm comm, std::unique_ptr<InfoKeys> keys);
    /// For the attribute.
    static int make_keyval();

private:
    Settings asked_;
};

}  // namespace echelon
