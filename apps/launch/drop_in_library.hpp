// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/launch/mpi_in_use.hpp"

namespace echelon::launch {

/// A file of ours that is bound to an MPI: a library, or a program.
struct BoundFile {
    std::string path;
    MpiLibrary mpi;
};

/// All libechelon-pmpi.so that belong to the program that runs, best first: beside it in the same installation
/// (lib/echelon/mpich, lib/echelon/openmpi ...), or in its build folder and in those of the presets release and
/// openmpi beside that. Those whose MPI this machine does not have are left out.
std::vector<BoundFile> drop_in_libraries();

/// The same for a program, such as echelon-bench.
std::vector<BoundFile> programs_named(const std::string& name);

/// The one of the libraries that stands before `mpi`. Error: there is none.
const BoundFile& library_for(const MpiLibrary& mpi, const std::string& user,
                             const std::vector<BoundFile>& libraries);

/// Where another library of ours is, beside the program that runs, installed or built; empty: not here.
std::string library_beside(const std::string& name);

/// The folder of this installation for profiles of all users; empty: this is none.
std::string profiles_of_installation();

/// The library that lets ranks of MPICH yield while they wait. Error: it is not here.
std::string yielding_library();

}  // namespace echelon::launch
