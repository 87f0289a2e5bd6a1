// SPDX-License-Identifier: Apache-2.0
#include "bench/describe.hpp"

#include "estimators/profile/host.hpp"
#include "groups/layout.hpp"
#include "mpi/fingerprint.hpp"
#include "mpi/quirks.hpp"
#include "report/summary.hpp"

#include <echelon/version.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

namespace echelon::bench {
namespace {

std::string date() {
    const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&time, &utc);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

/// The rest of the line of a file behind `key`; empty if there is none.
std::string said_in(const char* file, const std::string& key) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(key)) return line.substr(line.find_first_not_of(" \t", key.size()));
    return {};
}

std::vector<std::string> bindings(MPI_Comm world, int ranks) {
    if constexpr (quirks::simulated) return {};
    constexpr std::size_t room = 256;  // a long list is cut
    std::array<char, room> own{};
    said_in("/proc/self/status", "Cpus_allowed_list:").copy(own.data(), own.size() - 1);
    std::vector<char> all(std::size_t(ranks) * room);
    MPI_Gather(own.data(), int(room), MPI_CHAR, all.data(), int(room), MPI_CHAR, 0, world);
    std::vector<std::string> made;
    for (std::size_t rank = 0; rank < std::size_t(ranks); ++rank) made.emplace_back(&all[rank * room]);
    return made;
}

double load() {
    double minute = -1;
    return getloadavg(&minute, 1) == 1 ? minute : -1;
}

}  // namespace

Machine describe(const Options& options, const Placement& placement, const CommonStart& start,
                 MPI_Comm world) {
    return {.host = mpi_host(),
            .processor = processor_name(),
            .cores = int(std::thread::hardware_concurrency()),
            .mpi = mpi_library(),
            .echelon = ECHELON_VERSION,
            .date = date(),
            .ranks = placement.size(),
            .nodes = placement.node_count(),
            .layout = layout_of(placement),
            .simulated = quirks::simulated,
            .crowded = start.crowded(),
            .common_clock = start.clocks_shared(),
            .type = std::string(name(options.type)),
            .op = std::string(name(options.op)),
            .root = options.root,
            .repetitions = options.repetitions,
            .command = command_line(),
            .binding = bindings(world, placement.size()),
            .load = load(),
            .governor = said_in("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "")};
}

}  // namespace echelon::bench
