// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/check.hpp"
#include "mpi/comm.hpp"

#include <mpi.h>

#include <numeric>
#include <string>
#include <vector>

namespace echelon {

/// The texts of all ranks, on rank 0; empty on the others. Requires: less than 2 GB in all. Collective.
inline std::vector<std::string> gather(const std::string& text, MPI_Comm comm) {
    const bool at_root = rank_of(comm) == 0;
    const auto ranks = at_root ? std::size_t(size_of(comm)) : 0;
    const int length = int(text.size());
    std::vector<int> lengths(ranks), places(ranks);
    check(PMPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm), "MPI_Gather");
    std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
    std::string all(at_root ? std::size_t(places.back() + lengths.back()) : 0, '\0');
    check(PMPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR, 0,
                       comm),
          "MPI_Gatherv");
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < ranks; ++i)
        texts.push_back(all.substr(std::size_t(places[i]), std::size_t(lengths[i])));
    return texts;
}

}  // namespace echelon
