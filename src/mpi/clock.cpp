// SPDX-License-Identifier: Apache-2.0
#include "mpi/clock.hpp"

#include <ctime>

#ifdef ECHELON_SMPI
#include <mpi.h>
#include <simgrid/actor.h>
#else
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#endif

extern "C" __attribute__((weak)) void simulated_thinking(double seconds);

namespace echelon {
namespace {

/// Of all simulated ranks, one after the other.
double processor_time() { return double(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

Thinking::Thinking() : began_(simulated_thinking == nullptr ? 0 : processor_time()) {}

Thinking::~Thinking() {
    if (simulated_thinking != nullptr) simulated_thinking(processor_time() - began_);
}

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
