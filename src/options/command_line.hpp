// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace echelon {

/// Parses `words`. The options are checked unless --help is among them. po::error: a sentence; for a misspelt
/// option it suggests the nearest one.
boost::program_options::variables_map parsed(
    const std::vector<std::string>& words, const boost::program_options::options_description& options,
    const boost::program_options::positional_options_description& positional = {});

/// The sentence with a hint: "...; see echelon run --help".
std::string with_help(const std::string& sentence, const std::string& help);

}  // namespace echelon
