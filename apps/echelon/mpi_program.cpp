// SPDX-License-Identifier: Apache-2.0
// Subcommands that are programs of their own, bound to an MPI. One of them exists for each MPI that Echelon
// was built with; this process becomes the one that fits its launcher.
#include "apps/echelon/subcommand.hpp"

#include "apps/launch/drop_in_library.hpp"
#include "core/error.hpp"
#include "core/words.hpp"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace echelon::tool {
namespace {

using Words = std::vector<std::string>;

/// The MPI family of the launcher, from the environment of its ranks; empty if unknown. Slurm's and other
/// launchers start ranks of any MPI.
std::string launchers_family() {
    if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return "Open MPI";
    if (std::getenv("MPI_LOCALNRANKS") != nullptr) return "MPICH";
    return "";
}

const launch::BoundFile& fitting(const std::vector<launch::BoundFile>& programs, const std::string& name,
                                 const std::string& family) {
    if (programs.empty()) throw Error(name + " is not here; build or install Echelon whole");
    for (const auto& program : programs)
        if (program.mpi.family == family) return program;
    const std::string all = joined(programs, " and ", [](const auto& one) { return to_string(one.mpi); });
    if (!family.empty())
        throw Error(name + " is here for " + all + " only; build or install it with " + family);
    if (programs.size() == 1) return programs[0];
    throw Error(name + " is here for " + all +
                "; start it by the mpiexec of one of them, or name one first, as --mpi mpich");
}

[[noreturn]] void become(const std::string& name, Words words) {
    std::string family = launchers_family();
    if (words.size() > 1 && words[0] == "--mpi") {
        family = launch::mpi_family(words[1]);
        words.erase(words.begin(), words.begin() + 2);
    } else if (!words.empty() && words[0].starts_with("--mpi=")) {
        family = launch::mpi_family(words[0].substr(6));
        words.erase(words.begin());
    }
    const auto programs = launch::programs_named(name);
    const bool asks = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word == "--help" || word == "-h" || word == "--version";
    });
    if (asks && family.empty() && !programs.empty()) family = programs[0].mpi.family;
    const std::string path = fitting(programs, name, family).path;
    std::vector<char*> given{const_cast<char*>(name.c_str())};
    for (std::string& word : words) given.push_back(word.data());
    given.push_back(nullptr);
    ::execv(path.c_str(), given.data());
    throw Error(path + " does not start: " + std::strerror(errno));
}

}  // namespace

int bench(const Words& arguments) { become("echelon-bench", arguments); }

int calibrate(const Words& arguments) { become("echelon-calibrate", arguments); }

}  // namespace echelon::tool
