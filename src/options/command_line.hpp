// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace echelon {

/// What these words give of the options, which are checked unless --help is among them. po::error: a sentence; where an
/// option is misspelt, with what is near.
boost::program_options::variables_map parsed(
    const std::vector<std::string>& words, const boost::program_options::options_description& options,
    const boost::program_options::positional_options_description& positional = {});

/// The sentence, and where there is more: "...; see echelon run --help".
std::string with_help(const std::string& sentence, const std::string& help);

}  // namespace echelon
