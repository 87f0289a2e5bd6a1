// SPDX-License-Identifier: Apache-2.0
#include "mpi/clock.hpp"

#ifdef ECHELON_SMPI
#include <mpi.h>
#include <simgrid/actor.h>
#else
#include <chrono>
#include <thread>
#endif

namespace echelon {

#ifdef ECHELON_SMPI

const double first_notice = 1;  // virtual time costs nothing

double now() { return MPI_Wtime(); }

void wait_until(double instant, bool) { sg_actor_sleep_until(instant); }

#else

const double first_notice = 20e-6;

// Not MPI_Wtime: some libraries let it begin at 0 in each process.
double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void wait_until(double instant, bool yielding) {
    while (now() < instant)
        if (yielding) std::this_thread::yield();
}

#endif

}  // namespace echelon
