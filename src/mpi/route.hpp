// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <vector>

namespace echelon {

/// Messages to oneself.
struct Loopback {
    MPI_Comm comm;
    int rank, tag;
};

/// The path of the messages of `size` ranks: one of Echelon's communicators, of which they are all ranks, or
/// only `members`; and the tags from `first_tag` on.
struct Route {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0, size = 0;
    std::vector<int> members = {};
    int first_tag = 0;

    int in_comm(int r) const { return members.empty() ? r : members[std::size_t(r)]; }
    Loopback loopback() const { return {comm, in_comm(rank), first_tag + strands - 1}; }

    /// Tags of one route: one for each strand of a blocking call, with the last for messages to oneself; then
    /// the tags of nonblocking calls.
    static constexpr int strands = 128, tags = 512;
};

}  // namespace echelon
