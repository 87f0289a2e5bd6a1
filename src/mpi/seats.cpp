// SPDX-License-Identifier: Apache-2.0
#include "mpi/seats.hpp"

#include "groups/hwloc_seat.hpp"
#include "mpi/comm.hpp"

#include <string_view>
#include <vector>

namespace echelon {

std::uint64_t own_node(MPI_Comm comm) {
#ifdef ECHELON_SMPI
    char host[MPI_MAX_PROCESSOR_NAME];
    int length = 0;
    check(PMPI_Get_processor_name(host, &length), "MPI_Get_processor_name");
    (void)comm;
    return node_key(std::string_view(host, std::size_t(length)));
#else
    MPI_Comm shared = MPI_COMM_NULL;
    check(PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank_of(comm), MPI_INFO_NULL, &shared),
          "MPI_Comm_split_type");
    const Comm owner(shared);
    int first = rank_of(comm);  // the lowest of those that can share memory
    check(PMPI_Bcast(&first, 1, MPI_INT, 0, shared), "MPI_Bcast");
    return std::uint64_t(first);
#endif
}

Placement gather_placement(MPI_Comm comm, std::uint64_t node, bool topology) {
    const Seat own = topology ? seat_here(node) : Seat{.node = node};
    std::vector<Seat> seats(std::size_t(size_of(comm)));
    check(PMPI_Allgather(&own, int(sizeof own), MPI_BYTE, seats.data(), int(sizeof own), MPI_BYTE, comm),
          "MPI_Allgather");
    return Placement::from(seats);
}

}  // namespace echelon
