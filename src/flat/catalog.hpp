// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flat/algorithm.hpp"

namespace echelon {

// The rows of the catalog, one file each: `<collective>_rows.cpp`.

std::span<const Algorithm> reduce_rows();
std::span<const Algorithm> allreduce_rows();
std::span<const Algorithm> bcast_rows();
std::span<const Algorithm> barrier_rows();
std::span<const Algorithm> reduce_scatter_rows();
std::span<const Algorithm> allgather_rows();
std::span<const Algorithm> gather_rows();
std::span<const Algorithm> scatter_rows();
std::span<const Algorithm> alltoall_rows();
std::span<const Algorithm> scan_rows();
std::span<const Algorithm> exscan_rows();

}  // namespace echelon
