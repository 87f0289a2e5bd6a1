// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/profile_option.hpp"

#include "apps/launch/drop_in_library.hpp"
#include "apps/launch/output_of.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/spelling.hpp"
#include "core/words.hpp"
#include "estimators/profile/host.hpp"
#include "estimators/profile/profile_search.hpp"
#include "groups/layout.hpp"
#include "hier/lists.hpp"
#include "settings/settings.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace echelon::tool {

std::shared_ptr<const Profile> read_profile(const std::string& path) {
    const std::string text = read_file(path);
    try {
        return std::make_shared<const Profile>(Profile::parse(text));
    } catch (const Error& error) {
        throw Error("profile " + path + ": " + error.what());
    }
}

std::vector<std::string> mpis_here(const std::string& family) {
    std::vector<std::string> names;
    for (const auto& program : launch::programs_named("echelon-calibrate")) {
        if (!family.empty() && program.mpi.family != family) continue;
        std::istringstream lines(launch::output_of({program.path, "--version"}).value_or(""));
        std::string line;
        while (std::getline(lines, line) && !line.starts_with("echelon-calibrate ")) {
        }  // MPI_Init may print lines before
        if (std::getline(lines, line) && std::find(names.begin(), names.end(), line) == names.end())
            names.push_back(line);
    }
    return names;
}

std::string file_or_usual_profile(const std::string& named, int ranks_per_node) {
    std::error_code none;
    if (!named.empty() && !std::filesystem::is_directory(named, none)) return named;
    const std::string asked = named.empty() ? Settings::from_environment().profile : named;
    std::vector<std::string> mpis = mpis_here();
    if (mpis.empty()) mpis.emplace_back();  // any
    std::string file, mpi_of_file;
    std::vector<std::string> reasons;
    const auto add = [&](const std::string& reason) {
        if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
    };
    for (const std::string& mpi : mpis) {
        const Fingerprint here{.mpi = mpi, .processor = processor_name(), .networks = network_names()};
        const ProfileSearch search =
            find_profiles(asked, launch::profiles_of_installation(), [&] { return here; });
        const KnownProfile known = search.first_for(ranks_per_node);
        if (known.profile == nullptr) add(known.from);
        for (const std::string& problem : search.problems) add(problem);
        if (known.profile == nullptr) continue;
        if (file.empty()) {
            file = known.from, mpi_of_file = mpi;
        } else if (file != known.from) {
            throw Error("programs of " + mpi_of_file + " go by " + file + ", those of " + mpi + " by " +
                        known.from + "; name one by --profile");
        }
    }
    if (file.empty() && !named.empty()) throw Error("profiles in " + named + ": " + joined(reasons, "; "));
    if (file.empty())
        throw Error("give a profile by --profile FILE; programs use none here: " + joined(reasons, "; "));
    return file;
}

Placement ranks_on_nodes(int p, int ranks_per_node, const std::string& layout) {
    if (!layout.empty()) {
        Placement placement = placement_of_layout(layout);
        if (layout.find('#') != std::string::npos)
            throw Error(
                "layout " + layout +
                ": its number does not tell who sits where; take words that do, such as 16x4 cyclic, or ask in the program (echelon_explain)");
        if (p != 0 && placement.size() != p)
            throw Error("layout " + layout + " is of " + std::to_string(placement.size()) +
                        " ranks, not of " + std::to_string(p));
        return placement;
    }
    if (p < 1) throw Error("give the number of ranks: -p 64, or a layout: --layout 16x4");
    if (p > most_ranks)
        throw Error("ranks is " + std::to_string(p) + "; at most " + std::to_string(most_ranks));
    if (ranks_per_node < 1) throw Error("--ranks-per-node: expected a number from 1 on");
    std::vector<Location> locations;
    for (int rank = 0; rank < p; ++rank) locations.push_back({.node = std::uint64_t(rank / ranks_per_node)});
    return Placement::from(locations);
}

}  // namespace echelon::tool
