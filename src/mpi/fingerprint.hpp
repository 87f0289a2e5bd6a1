// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile.hpp"

namespace echelon {

/// First line of what the MPI library says of itself.
std::string mpi_library();
/// The processor's name, as the kernel tells it.
std::string processor_name();

/// Where this process runs. Local; the ranks of the busiest node are the caller's to add.
Fingerprint fingerprint_here();

}  // namespace echelon
