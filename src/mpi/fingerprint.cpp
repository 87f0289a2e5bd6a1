// SPDX-License-Identifier: Apache-2.0
#include "mpi/fingerprint.hpp"

#include "estimators/profile/host.hpp"
#include "mpi/check.hpp"
#include "mpi/quirks.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace echelon {

std::string mpi_library() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> text{};
    int length = 0;
    PMPI_Get_library_version(text.data(), &length);
    std::string all = text.data();  // Open MPI's length includes the terminator
    all = all.substr(0, all.find('\n'));
    std::replace(all.begin(), all.end(), '\t', ' ');
    return all;
}

std::string mpi_host() {
    std::array<char, MPI_MAX_PROCESSOR_NAME> text{};
    int length = 0;
    check(PMPI_Get_processor_name(text.data(), &length), "MPI_Get_processor_name");
    return {text.data(), std::size_t(length)};
}

Fingerprint fingerprint_here() {
    return {.mpi = mpi_library(),
            .processor = processor_name(),
            .networks = quirks::simulated ? std::vector<std::string>{"simulated"} : network_names()};
}

int ranks_on_this_node() {
    for (const char* const name : {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"})
        if (const char* const number = std::getenv(name)) return std::max(0, std::atoi(number));
    return 0;
}

}  // namespace echelon
