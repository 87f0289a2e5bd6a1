// SPDX-License-Identifier: Apache-2.0
#include "mpi/presence.hpp"

#include "mpi/next.hpp"

namespace echelon {
namespace {

bool mpi_has_begun() {
    int initialized = 0;
    PMPI_Initialized(&initialized);
    return initialized != 0;
}

}  // namespace

Presence presence() {
    Presence last = last_presence;
    if (last == Presence::apart && next.in_front && mpi_has_begun() &&
        last_presence.compare_exchange_strong(last, Presence::unseen))
        return Presence::unseen;
    return last;
}

void set_presence(Presence presence) { last_presence = presence; }

}  // namespace echelon
