// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>
#include <cstddef>
#include <string>

namespace examples {

/// The recipe that serves a collective of `bytes` bytes on `comm`, if Echelon is in this process, preloaded
/// or linked; else "native". Collective over `comm`.
std::string server_of(const std::string& collective, std::size_t bytes, MPI_Comm comm);

}  // namespace examples
