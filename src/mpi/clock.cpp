// SPDX-License-Identifier: Apache-2.0
#include "mpi/clock.hpp"

#include "mpi/quirks.hpp"

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

extern "C" __attribute__((weak)) void sg_actor_sleep_until(double instant);  // SimGrid's

namespace echelon {

const double first_notice = quirks::simulated ? 1 : 20e-6;  // virtual time costs nothing

double now() {
    if constexpr (quirks::simulated) return PMPI_Wtime();
    // Some libraries let MPI_Wtime begin at 0 in each process.
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double clock_id() {
    if constexpr (quirks::simulated) return 1;
    std::string kernel;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> kernel;
    constexpr std::size_t exact_in_a_double = std::size_t(1) << 52;
    return kernel.empty() ? now() : double(std::hash<std::string>()(kernel) % exact_in_a_double);
}

void wait_until(double instant, bool yielding) {
    if constexpr (quirks::simulated) return sg_actor_sleep_until(instant);
    // Ranks that yield to each other would keep the processor from ranks that are still late: sleep first.
    constexpr double soon = 200e-6;
    if (const double rest = instant - now() - soon; yielding && rest > 0)
        std::this_thread::sleep_for(std::chrono::duration<double>(rest));
    while (now() < instant)
        if (yielding) std::this_thread::yield();
}

}  // namespace echelon
