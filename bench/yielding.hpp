// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon::bench {

/// Before MPI_Init: where the words ask for --crowded, lets ranks that wait give their processor away, each in its MPI's
/// way. Of MPICH that is a library in front, with which this process begins again.
void yield_if_crowded(int argc, char** argv);

}  // namespace echelon::bench
