// SPDX-License-Identifier: Apache-2.0
#include "mpi/broadcast_text.hpp"

#include "mpi/check.hpp"
#include "mpi/count.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace echelon {

std::string broadcast(std::string text, MPI_Comm comm, Place place) {
    Meetings{comm}.hold(0, place);
    return hand_out(std::move(text), comm);
}

std::string hand_out(std::string text, MPI_Comm comm) {
    // A short one takes one message: its length goes with its beginning.
    struct Head {
        std::uint64_t length;
        std::array<char, 1016> begin;
    };
    Head head{text.size(), {}};
    text.copy(head.begin.data(), head.begin.size());
    check(PMPI_Bcast(&head, int(sizeof head), MPI_BYTE, 0, comm), "MPI_Bcast");
    text.resize(head.length);
    const std::size_t begun = std::min(text.size(), head.begin.size());
    std::copy_n(head.begin.begin(), begun, text.begin());
    for (std::size_t from = begun; from < text.size(); from += most_elements)
        check(PMPI_Bcast(text.data() + from, int(std::min(most_elements, text.size() - from)), MPI_CHAR, 0,
                         comm),
              "MPI_Bcast");
    return text;
}

}  // namespace echelon
