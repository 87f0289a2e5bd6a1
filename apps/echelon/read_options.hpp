// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/command_line.hpp"

namespace echelon::tool {

/// --help stands among the words: this is what is printed, and nothing else happens.
struct HelpAsked {
    std::string text;
};

/// What the words of a subcommand give of its options. Throws HelpAsked: `usage`, and the options of `visible`. `hidden`: those that words
/// without an option's name stand for.
boost::program_options::variables_map read_options(
    const std::vector<std::string>& words, const std::string& usage,
    const boost::program_options::options_description& visible,
    const boost::program_options::options_description& hidden = {},
    const boost::program_options::positional_options_description& positional = {});

}  // namespace echelon::tool
