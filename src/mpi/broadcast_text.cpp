// SPDX-License-Identifier: Apache-2.0
#include "mpi/broadcast_text.hpp"

#include "mpi/check.hpp"

#include <algorithm>

namespace echelon {

std::string broadcast(std::string text, MPI_Comm comm, Place place) {
    Meetings{comm}(0, place);
    unsigned long long length = text.size();
    check(PMPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, comm), "MPI_Bcast");
    text.resize(length);
    constexpr std::size_t most = std::size_t(1) << 30;
    for (std::size_t from = 0; from < text.size(); from += most)
        check(PMPI_Bcast(text.data() + from, int(std::min(most, text.size() - from)), MPI_CHAR, 0, comm),
              "MPI_Bcast");
    return text;
}

}  // namespace echelon
