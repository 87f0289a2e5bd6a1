// SPDX-License-Identifier: Apache-2.0
#include "cache/profile_file.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "groups/placement.hpp"
#include "mpi/fingerprint.hpp"

#include <cstdlib>
#include <filesystem>

namespace echelon {
namespace {

std::string variable(const char* name) {
    const char* const text = std::getenv(name);
    return text == nullptr ? "" : text;
}

}  // namespace

KnownProfile KnownProfile::of(std::string text) {
    auto profile = std::make_shared<const Profile>(Profile::parse(text));
    const std::uint64_t key = node_key(text) >> 2 | 1;
    return {key, std::move(text), std::move(profile)};
}

std::vector<std::string> profile_files(const Settings& settings) {
    if (settings.profile == "none") return {};
    if (!settings.profile.empty()) return {settings.profile};
    std::vector<std::string> files;
    const std::string folder = variable("XDG_CONFIG_HOME"), home = variable("HOME");
    if (!folder.empty())
        files.push_back(folder + "/echelon/profile.json");
    else if (!home.empty())
        files.push_back(home + "/.config/echelon/profile.json");
    files.emplace_back("/etc/echelon/profile.json");
    return files;
}

KnownProfile find_profile(const Settings& settings, std::string& problem) {
    for (const std::string& path : profile_files(settings)) {
        std::error_code unknown;
        const bool asked = path == settings.profile;
        if (!asked && !std::filesystem::exists(path, unknown)) continue;
        try {
            KnownProfile found = KnownProfile::of(read_file(path));
            const std::string foreign = difference(found.profile->fingerprint, fingerprint_here());
            if (foreign.empty()) return found;
            problem = "the profile " + path + " is of another machine (" + foreign + ") and not used";
        } catch (const Error& error) {
            problem = "the profile " + path + " is not used: " + error.what();
        }
        return {};
    }
    return {};
}

}  // namespace echelon
