// SPDX-License-Identifier: Apache-2.0
#include "mpi/gather_placement.hpp"

#include "groups/hwloc_location.hpp"
#include "mpi/agree.hpp"
#include "mpi/comm.hpp"
#include "mpi/fingerprint.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace echelon {

// The key of the host's name and the kernel's boot id.
std::uint64_t node_by_name() {
    std::string name = mpi_host();
    if constexpr (!quirks::simulated) {
        std::string boot;
        std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
        name += boot;
    }
    return node_key(name);
}

std::uint64_t own_node(MPI_Comm comm) {
    if constexpr (quirks::simulated) return node_by_name();
    const Comm shared = Comm::try_node(comm);
    if (!all_say(shared.get() != MPI_COMM_NULL, comm)) return node_by_name();
    int first = rank_of(comm);  // the lowest rank of the node
    check(PMPI_Bcast(&first, 1, MPI_INT, 0, shared.get()), "MPI_Bcast");
    return std::uint64_t(first);
}

int ranks_on_own_node(MPI_Comm comm) {
    const std::uint64_t own = own_node(comm);
    std::vector<std::uint64_t> nodes(std::size_t(size_of(comm)));
    check(PMPI_Allgather(&own, 1, MPI_UINT64_T, nodes.data(), 1, MPI_UINT64_T, comm), "MPI_Allgather");
    return int(std::count(nodes.begin(), nodes.end(), own));
}

Placement gather_placement(MPI_Comm comm, std::uint64_t node, const Region& region, bool topology) {
    Location own = topology ? location_here(node) : Location{.node = node};
    own.region = region;
    std::vector<Location> locations(std::size_t(size_of(comm)));
    check(PMPI_Allgather(&own, int(sizeof own), MPI_BYTE, locations.data(), int(sizeof own), MPI_BYTE, comm),
          "MPI_Allgather");
    return Placement::from(locations);
}

}  // namespace echelon
