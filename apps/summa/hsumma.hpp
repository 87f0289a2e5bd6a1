// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/summa/job.hpp"

namespace examples {

/// Hierarchical SUMMA (Quintin, Hasanov and Lastovetsky 2013): the grid of processes is cut into a grid of
/// groups. A wide panel goes from the group that has it to all groups, to those processes that sit in them
/// where its owners sit in theirs; from there it goes, in panels of the job's width, to the others of each
/// group. Broadcasts talk to few processes at a time: to groups, or inside of one. `groups` divides the grid
/// evenly. Collective over the grid. Throws WrongUse.
void hsumma(const Job& job, Shape groups, long outer_width);

}  // namespace examples
