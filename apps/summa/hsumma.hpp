// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/summa/job.hpp"

namespace examples {

/// Hierarchical SUMMA (Quintin, Hasanov and Lastovetsky 2013): the grid of processes is cut into a grid of
/// groups. A wide panel goes from its owner to the processes with the same position in all other groups;
/// these broadcast it in panels of the job's width inside their group. Each broadcast involves few processes:
/// one per group, or one group's. `groups` divides the grid evenly. Collective over the grid. Throws
/// WrongUse.
void hsumma(const Job& job, Shape groups, long outer_width);

}  // namespace examples
