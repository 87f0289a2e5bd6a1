// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/launch/rank_commands.hpp"

#include <optional>
#include <string>

namespace echelon::launch {

/// An MPI library, as the dynamic loader of this machine finds it.
struct MpiLibrary {
    /// The name by which programs ask for it: libraries of another name are another MPI, though its family be
    /// the same.
    std::string soname;
    std::string path;
    /// MPICH, Open MPI, or "an MPI".
    std::string family;

    friend bool operator==(const MpiLibrary&, const MpiLibrary&) = default;
};

/// `Open MPI (libmpi.so.40)`
std::string to_string(const MpiLibrary& mpi);

/// `mpich` and `openmpi`, as options name them: MPICH, Open MPI. Error: it is neither.
std::string mpi_family(const std::string& name);

/// What is loaded together with a program or library.
struct Loaded {
    std::vector<MpiLibrary> mpis;
    /// Echelon's drop-in library is among it.
    bool drop_in = false;
    /// Libraries that are asked for and are not there.
    Words missing;
};
Loaded loaded_with(const std::string& path);

/// The file that is run by that name; empty: none.
std::string file_to_run(const std::string& word);

/// How a command uses MPI.
struct MpiInUse {
    MpiLibrary mpi;
    /// What says so: `./app`, or `the module mpi4py of python3`.
    std::string by;
    bool drop_in = false;
};
/// Looks at the first word, and where that is no MPI program (valgrind, numactl) at those behind it. `family`: the
/// launcher's, for programs that can use several; empty: it belongs to none. Error:
/// it uses no MPI, or one that nothing can stand before, or does not tell.
MpiInUse mpi_in_use(const Words& command, const std::string& family);

}  // namespace echelon::launch
