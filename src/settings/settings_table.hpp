// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "settings/settings.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// One setting. The reader, the help text, docs/settings.md and the test of that page use this row.
struct Setting {
    /// Name of the environment variable, and in configuration files.
    std::string name;
    /// The key in an MPI_Info that sets it for one communicator; empty: there is none.
    std::string info_key = {};
    /// The accepted values, and the default.
    std::string values, usual = {};
    std::string meaning;
    /// Reads a value. Error: the value is wrong.
    std::function<void(Settings&, const std::string& value)> set;
};

const std::vector<Setting>& settings_table();
const Setting* find_setting(std::string_view name);
/// The known name with the spelling nearest to `name`.
std::string nearest_setting(std::string_view name);

/// A former setting, and how to write its values now.
struct RemovedSetting {
    std::string_view name, advice;
};
std::span<const RemovedSetting> removed_settings();

/// The variable and its meaning in one sentence, for a terminal.
std::string brief(const Setting& setting);
/// The table for a terminal (`echelon settings`), and as the page docs/settings.md.
std::string settings_help();
std::string settings_page();

/// Reads `auto`, `native` or `off`. Error: any other word.
Mode parse_mode(std::string_view text);
/// Reads `none`, or `text`, `json` or `prometheus`, alone or with `:file`. Error: any other text.
SummaryRequest parse_summary(std::string_view text);

}  // namespace echelon
