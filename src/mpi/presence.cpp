// SPDX-License-Identifier: Apache-2.0
#include "mpi/presence.hpp"

#include "mpi/next.hpp"

#include <atomic>

namespace echelon {
namespace {

std::atomic<Presence> own = Presence::apart;

bool mpi_has_begun() {
    int initialized = 0;
    PMPI_Initialized(&initialized);
    return initialized != 0;
}

}  // namespace

Presence presence() {
    if (next.in_front && own == Presence::apart && mpi_has_begun()) own = Presence::unseen;
    return own;
}

void set_presence(Presence presence) { own = presence; }

}  // namespace echelon
