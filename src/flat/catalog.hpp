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

/// The row of the algorithm that works in the link's window. `cost`: formula of the messages that replace a
/// missing window.
constexpr Algorithm shm_row(Collective collective, Algorithm::Body body, Algorithm::Formula cost) {
    return {.collective = collective,
            .name = "shm",
            .body = body,
            .cost = cost,
            .keeps_order = reduces(collective),
            .one_way = pattern(collective) != Pattern::to_all,
            .in_window = true,
            .source = reduces(collective) ? "DeepSpeed 2024; MPICH release_gather" : "MPICH release_gather",
            .best_for = "ranks of one node"};
}

}  // namespace echelon
