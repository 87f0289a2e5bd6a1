// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/summa/matrices.hpp"

#include <string>

namespace examples {

/// Distance of C x from A (B x), for a vector of random entries, in units of the rounding bound of each
/// component: 0 to 1 is right. No process holds more of a matrix than its blocks. Collective.
double product_error(const Matrices& matrices, const ProcessGrid& grid, Entries entries);

/// The number of C's elements that differ from their sum of products, computed anew: for small matrices of
/// integers. Collective.
long wrong_elements(const Matrices& matrices, const ProcessGrid& grid);

/// Checksum of the bits of C, independent of the grid. The result is on rank 0 of the grid. Collective.
std::string checksum(const Matrices& matrices, const ProcessGrid& grid);

}  // namespace examples
