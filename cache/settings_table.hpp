// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/settings.hpp"

#include <functional>

namespace echelon {

/// One thing that can be set from outside: all that is known about it. The reader, the help text,
/// docs/settings.md and the test of that page read this row.
struct Setting {
    /// Of the environment variable, and in configuration files.
    std::string name;
    /// The key in an MPI_Info that sets it for one communicator; empty: there is none.
    std::string info_key = {};
    /// What may be given, and what holds if nothing is.
    std::string values, usual = {};
    std::string meaning;
    /// Error: not a value.
    std::function<void(Settings&, const std::string& value)> set;
};

const std::vector<Setting>& settings_table();
const Setting* find_setting(std::string_view name);
/// The known name that is spelled most like `name`.
std::string nearest_setting(std::string_view name);

/// The table for a terminal (ECHELON_HELP=1), and as docs/settings.md.
std::string settings_help();
std::string settings_page();

/// Error: not one of auto, native, off.
Mode parse_mode(std::string_view text);
/// `text`, `json`, or either with `:file`. Error: neither.
SummaryRequest parse_summary(std::string_view text);

}  // namespace echelon
