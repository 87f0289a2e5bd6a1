// SPDX-License-Identifier: Apache-2.0
#include "bench/describe.hpp"

#include "mpi/fingerprint.hpp"

#include <echelon/version.h>

#include <array>
#include <chrono>
#include <ctime>
#include <thread>

namespace echelon::bench {
namespace {

std::string host_name() {
    std::array<char, MPI_MAX_PROCESSOR_NAME + 1> text{};
    int length = 0;
    MPI_Get_processor_name(text.data(), &length);
    return {text.data(), std::size_t(length)};
}

std::string date() {
    const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&time, &utc);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

}  // namespace

Machine describe(const Options& options, const Placement& placement, const CommonStart& start) {
    return {.host = host_name(),
            .processor = processor_name(),
            .cores = int(std::thread::hardware_concurrency()),
            .mpi = mpi_library(),
            .echelon = ECHELON_VERSION,
            .date = date(),
            .ranks = placement.size(),
            .nodes = placement.node_count(),
#ifdef ECHELON_SMPI
            .simulated = true,
#endif
            .crowded = start.crowded(),
            .common_clock = start.clocks_shared(),
            .type = std::string(name(options.type)),
            .op = std::string(name(options.op)),
            .root = options.root,
            .repetitions = options.repetitions};
}

}  // namespace echelon::bench
