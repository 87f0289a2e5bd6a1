// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon::bench {

/// If --crowded is among the words, lets waiting ranks yield their processor, by the means of the MPI. Must
/// come before MPI_Init. For MPICH it preloads a library and restarts this process.
void yield_if_crowded(int argc, char** argv);

}  // namespace echelon::bench
