// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/launch/mpi_in_use.hpp"

namespace echelon::launch {

/// A library or program of ours that is bound to an MPI.
struct BoundFile {
    std::string path;
    MpiLibrary mpi;
};

/// All libechelon-pmpi.so that belong to the running program, best first: beside it in the same installation
/// (lib/echelon/mpich, lib/echelon/openmpi ...), or in its build folder and in the neighbouring build folders
/// of the presets release and openmpi. Libraries whose MPI this machine lacks are left out.
std::vector<BoundFile> drop_in_libraries();

/// Programs of a name, like echelon-bench, found in the same way.
std::vector<BoundFile> programs_named(const std::string& name);

/// The library that stands before `mpi`. Error: there is none.
const BoundFile& library_for(const MpiLibrary& mpi, const std::string& user,
                             const std::vector<BoundFile>& libraries);

/// Path of another library of ours beside the running program, installed or built; empty if there is none.
std::string library_beside(const std::string& name);

/// The folder of this installation for profiles of all users; empty if the program is not installed.
std::string profiles_of_installation();

/// The library that lets ranks of MPICH yield while they wait. Error: it is missing.
std::string yielding_library();

}  // namespace echelon::launch
