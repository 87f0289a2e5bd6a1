// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/launch/rank_commands.hpp"

#include <optional>
#include <string>

namespace echelon::launch {

/// An MPI library, found by the dynamic loader of this machine.
struct MpiLibrary {
    /// The name by which programs ask for it. Libraries of another name are another MPI, even in the same
    /// family.
    std::string soname;
    std::string path;
    /// MPICH, Open MPI, or "an MPI".
    std::string family;

    friend bool operator==(const MpiLibrary&, const MpiLibrary&) = default;
};

/// `Open MPI (libmpi.so.40)`
std::string to_string(const MpiLibrary& mpi);

/// The family for an option's `mpich` or `openmpi`: MPICH, Open MPI. Error: it is neither.
std::string mpi_family(const std::string& name);

/// Libraries that are loaded together with a program or library.
struct Loaded {
    std::vector<MpiLibrary> mpis;
    /// Echelon's drop-in library is among it.
    bool drop_in = false;
    /// Libraries that are asked for and are missing.
    Words missing;
};
Loaded loaded_with(const std::string& path);

/// The file that runs by that name; empty if there is none.
std::string file_to_run(const std::string& word);

/// MPI use of a command.
struct MpiInUse {
    MpiLibrary mpi;
    /// The evidence: `./app`, or `the module mpi4py of python3`.
    std::string by;
    bool drop_in = false;
};
/// Examines the first word and, if that is no MPI program (valgrind, numactl), the words behind it. `family`:
/// the launcher's, for programs that can use several; empty: it belongs to none. Error: it uses no MPI, or
/// one that no library can stand before, or does not tell.
MpiInUse mpi_in_use(const Words& command, const std::string& family);

}  // namespace echelon::launch
