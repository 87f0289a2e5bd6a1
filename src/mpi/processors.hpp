// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>

namespace echelon {

/// Processors that processes may run on, the first thousand of a node.
class Processors {
public:
    /// This process's; none where the system does not tell.
    static Processors own();
    /// Of all ranks of a communicator on one node. Collective over it, the same on all of them.
    static Processors of_all(MPI_Comm comm);

    void add(const Processors& others);
    int count() const;

private:
    std::array<std::uint64_t, 16> bits_{};
};

}  // namespace echelon
