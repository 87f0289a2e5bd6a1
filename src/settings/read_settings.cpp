// SPDX-License-Identifier: Apache-2.0
#include "settings/settings.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/words.hpp"
#include "groups/placement.hpp"
#include "groups/slurm_switch.hpp"
#include "settings/run_name.hpp"
#include "settings/settings_table.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

namespace echelon {
namespace {

constexpr std::string_view variable_prefix = "ECHELON_";

std::string variable(const char* name) {
    const char* const text = std::getenv(name);
    return text == nullptr ? "" : text;
}

/// The files to read; later ones win.
std::vector<std::string> configuration_files() {
    const std::string named = variable("ECHELON_CONFIG");
    if (!named.empty()) return {named};
    const std::string folder = variable("XDG_CONFIG_HOME"), home = variable("HOME");
    std::vector<std::string> files{"/etc/echelon.conf"};
    if (!folder.empty())
        files.push_back(folder + "/echelon.conf");
    else if (!home.empty())
        files.push_back(home + "/.config/echelon.conf");
    std::erase_if(files, [](const std::string& file) {
        std::error_code ignored;
        return !std::filesystem::exists(file, ignored);
    });
    return files;
}

}  // namespace

Settings Settings::from_environment() {
    Settings settings;
    for (const std::string& file : configuration_files()) settings.read_file(file);
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const auto equals = text.find('=');
        if (!text.starts_with(variable_prefix) || equals == std::string_view::npos ||
            equals + 1 == text.size())
            continue;
        const auto name = text.substr(0, equals);
        settings.read(name, std::string(text.substr(equals + 1)), std::string(name));
    }
    if (settings.leaf_switch.empty())
        settings.leaf_switch = slurm_switch(variable("SLURM_TOPOLOGY_ADDR"),
                                            variable("SLURM_TOPOLOGY_ADDR_PATTERN"), host_name());
    return settings;
}

void Settings::read(std::string_view name, const std::string& value, const std::string& shown) {
    const Setting* const row = find_setting(name);
    if (row == nullptr) {
        const auto removed = std::ranges::find(removed_settings(), name, &RemovedSetting::name);
        complaints.push_back(shown + " is unknown; " +
                             (removed != removed_settings().end()
                                  ? std::string(removed->advice)
                                  : "did you mean " + nearest_setting(name) + "?"));
        return;
    }
    try {
        row->set(*this, value);
        given[row->name] = value;
    } catch (const Error& error) {
        complaints.push_back(shown + " is not used: " + error.what());
    }
}

// Boost.Program_options is not used here: every program would have to load it, and it reports no line
// numbers.
void Settings::read_file(const std::string& path) {
    std::istringstream file;
    try {
        file.str(read_regular_file(path));
    } catch (const Error& error) {
        complaints.push_back(std::string("the configuration file ") + error.what());
        return;
    }
    std::string line;
    bool refused = false;  // one complaint is enough for a file of another kind
    for (int number = 0; std::getline(file, line); ++number) {
        const std::string_view text = trimmed(line);
        const std::string where = path + ", line " + std::to_string(number + 1) + ": ";
        if (text.empty() || text[0] == '#') continue;
        const auto equals = text.find('=');
        const auto name = trimmed(text.substr(0, equals));
        if (equals != std::string_view::npos)
            read(name, std::string(trimmed(text.substr(equals + 1))), where + std::string(name));
        else if (!std::exchange(refused, true))
            complaints.push_back(where + "expected NAME = value, such as ECHELON_TRIALS = 0");
    }
}

bool Settings::needs_topology() const {
    if (groups && groups->needs_topology()) return true;
    for (const auto& [collective, table] : recipes)
        for (const RecipeTable::Row& row : table)
            if (echelon::needs_topology(row.value)) return true;
    return false;
}

std::uint64_t Settings::fingerprint() const {
    std::string text = std::string(strict ? "strict" : "") + ';' + (mode ? std::to_string(int(*mode)) : "") +
                       ';' + std::to_string(communicators.value_or(-1)) + ';' + std::to_string(window) + ';' +
                       std::to_string(expose_from) + ';' + std::to_string(trial_percent) + ';' +
                       "reproducible" + std::to_string(int(reproducible)) +
                       (profile == "none" ? "none" : "") + (learn.empty() ? "" : "learn");
    for (const auto& [collective, table] : recipes)
        text += ';' + std::string(name(collective)) + '=' + to_string(table);
    if (groups) text += ';' + to_string(*groups);
    return node_key(text);
}

}  // namespace echelon
