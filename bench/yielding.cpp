// SPDX-License-Identifier: Apache-2.0
#include "bench/yielding.hpp"

#include "mpi/processors.hpp"
#include "mpi/quirks.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace echelon::bench {

namespace {

bool asked(int argc, char** argv) {
    return std::any_of(argv, argv + argc, [](std::string_view word) {  // options may be cut short
        return word.size() > 3 && std::string_view("--crowded").starts_with(word);
    });
}

/// Path of the library beside this program, in a build or an installation; empty if it is missing.
std::string yielding_library() {
    std::error_code failed;
    const std::filesystem::path above =
        std::filesystem::read_symlink("/proc/self/exe", failed).parent_path().parent_path();
    for (const auto& place : {above / "libyield.so", above / "lib" / "libyield.so"})
        if (std::filesystem::exists(place, failed)) return place;
    return {};
}

}  // namespace

void yield_if_crowded(int argc, char** argv) {
    if (quirks::simulated || !asked(argc, argv)) return;  // simulated ranks share no processors
    if (!quirks::spins_while_it_waits) return (void)::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    if (!waits_spinning()) return;
    const char* const given = std::getenv("LD_PRELOAD");
    const std::string before = given == nullptr ? "" : given, library = yielding_library();
    if (library.empty() || library.find_first_of(" :") != std::string::npos ||
        before.find(library) != std::string::npos)
        return;
    ::setenv("LD_PRELOAD", (before.empty() ? library : before + ':' + library).c_str(), 1);
    ::execv("/proc/self/exe", argv);  // if this fails, the program goes on without it
}

}  // namespace echelon::bench
