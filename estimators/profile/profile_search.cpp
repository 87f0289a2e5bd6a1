// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/profile_search.hpp"

#include "core/file.hpp"
#include "core/format.hpp"
#include "estimators/profile/fingerprint_json.hpp"
#include "groups/layout.hpp"
#include "groups/placement.hpp"

#include <dlfcn.h>
#include <link.h>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <utility>

namespace echelon {
namespace {

namespace fs = std::filesystem;

constexpr const char* several = "profile.d";

/// The folder of the user's files for Echelon; empty if it is unknown.
std::string own_folder() {
    for (const auto& [variable, below] :
         {std::pair("XDG_CONFIG_HOME", "/echelon/"), std::pair("HOME", "/.config/echelon/")})
        if (const char* const folder = std::getenv(variable); folder != nullptr && *folder != '\0')
            return std::string(folder) + below;
    return {};
}

/// The library or program that contains this function.
fs::path own_file() {
    Dl_info info{};
    void* found = nullptr;
    if (dladdr1(reinterpret_cast<void*>(&own_file), &info, &found, RTLD_DL_LINKMAP) == 0) return {};
    const char* const name = static_cast<const link_map*>(found)->l_name;
    std::error_code unknown;
    return fs::canonical(*name == '\0' ? "/proc/self/exe" : name, unknown);
}

KnownProfile found_in(const ProfilePath& file, const std::string& text) {
    KnownProfile found = KnownProfile::of(text, file.path);
    if (file.in_folder) found.ranks_per_node = found.profile->get()->fingerprint.ranks_per_node;
    return found;
}

/// The first layout of an earlier version in the samples; empty if there is none.
std::string old_layout(const Profile& profile) {
    const auto old = std::ranges::find_if(profile.samples, is_old, &Sample::layout);
    return old == profile.samples.end() ? "" : old->layout;
}

}  // namespace

std::string own_profiles() {
    const std::string folder = own_folder();
    return folder.empty() ? "" : folder + several;
}

std::string installed_profiles() {
    const fs::path own = own_file(), folder = own.parent_path();
    // Libraries are in lib/echelon/<mpi>, programs in its bin. A user's own program has no installation.
    const bool library = own.filename().string().starts_with("libechelon");
    const bool program = own.filename().string().starts_with("echelon-") && folder.filename() == "bin";
    if (!library && !program) return {};
    const fs::path all = (library ? folder : folder.parent_path()).parent_path();
    return all.filename() == "echelon" ? all / several : fs::path();
}

std::vector<std::string> profile_places(const std::string& asked, const std::string& installed) {
    if (asked == "none") return {};
    if (!asked.empty()) return {asked};
    std::vector<std::string> places;
    for (const std::string& folder : {own_folder(), std::string("/etc/echelon/")})
        if (!folder.empty()) places.insert(places.end(), {folder + "profile.json", folder + several});
    if (!installed.empty()) places.push_back(installed);
    return places;
}

std::vector<ProfilePath> profile_files(const std::string& place, bool asked, std::string& problem) {
    std::error_code failed;
    const fs::file_status status = fs::status(place, failed);
    if (!fs::is_directory(status))
        return asked || fs::exists(status) ? std::vector{ProfilePath{place}} : std::vector<ProfilePath>();
    std::vector<ProfilePath> files;
    fs::directory_iterator entry(place, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        const fs::path& path = entry->path();
        std::error_code unknown;
        // A pipe would wait for its writer.
        if (path.extension() == ".json" && path.filename().string().front() != '.' &&
            !entry->is_directory(unknown) && !entry->is_other(unknown))
            files.push_back({.path = path, .in_folder = true});
    }
    if (failed) problem = "the profiles in " + place + " cannot be listed: " + failed.message();
    std::sort(files.begin(), files.end(),
              [](const ProfilePath& a, const ProfilePath& b) { return a.path < b.path; });
    return files;
}

KnownProfile read_known_profile(const ProfilePath& file) {
    return found_in(file, read_regular_file(file.path));
}

ProfileSearch find_profiles(const std::string& asked, const std::string& installed,
                            const std::function<Fingerprint()>& here) {
    ProfileSearch made{.forbidden = asked == "none"};
    std::optional<Fingerprint> known_here;
    std::string foreign;
    for (const std::string& place : profile_places(asked, installed)) {
        std::string problem;
        for (const ProfilePath& file : profile_files(place, place == asked, problem)) {
            ++made.files;
            try {
                const std::string text = read_regular_file(file.path);
                if (!known_here) known_here = here();
                const std::string other =
                    difference(fingerprint_ahead(text).value_or(Fingerprint()), *known_here);
                if (other.empty()) {
                    made.fitting.push_back(found_in(file, text));
                    if (const std::string old = old_layout(*made.fitting.back().profile->get()); !old.empty())
                        made.problems.push_back(
                            "the profile " + file.path + " does not say who sat where on '" + old +
                            "', as versions before wrote it: what was measured there counts for nothing; calibrate again");
                }
                if (!made.fitting.empty() && made.fitting.back().ranks_per_node == 0) return made;
                if (!other.empty() && !file.in_folder && foreign.empty())
                    foreign =
                        "the profile " + file.path + " is of another machine (" + other + ") and not used";
            } catch (const std::exception& error) {  // all kinds: the other ranks wait for this one
                made.problems.push_back("the profile " + file.path + " is not used: " + error.what());
            }
        }
        if (!problem.empty()) made.problems.push_back(std::move(problem));
    }
    if (made.fitting.empty() && !foreign.empty()) made.problems.push_back(std::move(foreign));
    return made;
}

KnownProfile ProfileSearch::first_for(int ranks_per_node) const {
    const auto times_as_many = [&](const KnownProfile& one) {
        if (one.ranks_per_node == 0 || ranks_per_node == 0) return 1.0;
        const auto [less, more] = std::minmax(one.ranks_per_node, ranks_per_node);
        return double(more) / double(less);
    };
    const auto nearest = std::min_element(fitting.begin(), fitting.end(),
                                          [&](const KnownProfile& one, const KnownProfile& other) {
                                              return times_as_many(one) < times_as_many(other);
                                          });
    if (nearest != fitting.end()) return *nearest;
    return {.from = forbidden    ? "ECHELON_PROFILE=none"
                    : files == 0 ? "no file is found; echelon calibrate --install makes one"
                                 : "of " + std::to_string(files) + (files == 1 ? " that was" : " that were") +
                                       " found none fits; echelon profiles says why"};
}

std::string file_name(const Fingerprint& fingerprint) {
    std::string name;
    // The name ends at the first comma, after which Open MPI adds details.
    for (const char c : fingerprint.mpi.substr(0, fingerprint.mpi.find(','))) {
        const auto letter = static_cast<unsigned char>(c);
        const bool plain = std::isalnum(letter) != 0 || c == '.';
        if (plain || (!name.empty() && name.back() != '-')) name += plain ? char(std::tolower(letter)) : '-';
    }
    std::string place = fingerprint.mpi + '\n' + fingerprint.processor;
    for (const std::string& network : fingerprint.networks) place += '\n' + network;
    return name + format("-%d-a-node-%08x.json", fingerprint.ranks_per_node, unsigned(node_key(place)));
}

}  // namespace echelon
