// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/process.hpp"

namespace echelon {

/// Adds Echelon's settings to the control variables of MPI_T, and its totals to the performance variables
/// (docs/drop_in.md). No effect where the MPI library lets no other library add some. Call it once, after
/// MPI_Init. Local.
void add_tool_variables(const Process& process);

}  // namespace echelon
