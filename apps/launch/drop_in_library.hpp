// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/launch/mpi_in_use.hpp"

namespace echelon::launch {

/// libechelon-pmpi.so, and the MPI that it was built with.
struct DropInLibrary {
    std::string path;
    MpiLibrary mpi;
};

/// Those that belong to the program that runs, best first: beside it in the same installation
/// (lib/echelon/mpich, lib/echelon/openmpi), or in its build folder and in those of the presets release and
/// openmpi beside that. Libraries whose MPI this machine does not have are left out.
std::vector<DropInLibrary> drop_in_libraries();

/// The one of them that stands before `mpi`. Error: there is none.
const DropInLibrary& library_for(const MpiLibrary& mpi, const std::string& user,
                                 const std::vector<DropInLibrary>& libraries);

/// Where another library of ours is, beside the program that runs, installed or built; empty: not here.
std::string library_beside(const std::string& name);

/// The library that lets ranks of MPICH yield while they wait. Error: it is not here.
std::string yielding_library();

}  // namespace echelon::launch
