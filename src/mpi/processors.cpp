// SPDX-License-Identifier: Apache-2.0
#include "mpi/processors.hpp"

#include "mpi/check.hpp"

#include <sched.h>
#include <bit>
#include <cstddef>

namespace echelon {

Processors Processors::own() {
    cpu_set_t set;
    CPU_ZERO(&set);
    Processors found;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return found;
    for (std::size_t i = 0; i < 64 * found.bits_.size() && i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &set)) found.bits_[i / 64] |= std::uint64_t(1) << (i % 64);
    return found;
}

Processors Processors::of_all(MPI_Comm comm) {
    Processors all = own();
    check(PMPI_Allreduce(MPI_IN_PLACE, all.bits_.data(), int(all.bits_.size()), MPI_UINT64_T, MPI_BOR, comm),
          "MPI_Allreduce");
    return all;
}

void Processors::add(const Processors& others) {
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= others.bits_[i];
}

int Processors::count() const {
    int found = 0;
    for (const std::uint64_t some : bits_) found += std::popcount(some);
    return found;
}

}  // namespace echelon
