// SPDX-License-Identifier: Apache-2.0
#include "mpi/clock.hpp"

#ifdef ECHELON_SMPI
#include <mpi.h>
#include <simgrid/actor.h>
#else
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#endif

namespace echelon {

#ifdef ECHELON_SMPI

const double first_notice = 1;  // virtual time costs nothing

double now() { return MPI_Wtime(); }

double clock_id() { return 1; }

void wait_until(double instant, bool) { sg_actor_sleep_until(instant); }

#else

const double first_notice = 20e-6;

// Not MPI_Wtime: some libraries let it begin at 0 in each process.
double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double clock_id() {
    std::string kernel;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> kernel;
    constexpr std::size_t exact_in_a_double = std::size_t(1) << 52;
    return kernel.empty() ? now() : double(std::hash<std::string>()(kernel) % exact_in_a_double);
}

void wait_until(double instant, bool yielding) {
    while (now() < instant)
        if (yielding) std::this_thread::yield();
}

#endif

}  // namespace echelon
