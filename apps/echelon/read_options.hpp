// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/command_line.hpp"

namespace echelon::tool {

/// Thrown if --help is among the words; the caller prints `text` and does nothing further.
struct HelpAsked {
    std::string text;
};

/// Reads the options of a subcommand from its words. Throws HelpAsked with `usage` and the options of
/// `visible`. `hidden`: the options that positional words stand for.
boost::program_options::variables_map read_options(
    const std::vector<std::string>& words, const std::string& usage,
    const boost::program_options::options_description& visible,
    const boost::program_options::options_description& hidden = {},
    const boost::program_options::positional_options_description& positional = {});

}  // namespace echelon::tool
