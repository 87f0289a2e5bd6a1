// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/summa/job.hpp"

namespace examples {

/// SUMMA (van de Geijn and Watts 1997): for each panel, its owners broadcast A's part along their rows of the
/// grid and B's part along their columns, and every process adds the product of both to its block of C.
/// Collective over the grid.
void summa(const Job& job, const Broadcast& broadcast = mpi_broadcast);

/// SUMMA with the next panel under way (MPI_Ibcast) while the present one is multiplied. Collective.
void summa_overlapped(const Job& job);

}  // namespace examples
