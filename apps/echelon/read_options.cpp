// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/read_options.hpp"

#include <sstream>

namespace echelon::tool {
namespace po = boost::program_options;

po::variables_map read_options(const std::vector<std::string>& words, const std::string& usage,
                               const po::options_description& visible, const po::options_description& hidden,
                               const po::positional_options_description& positional) {
    po::options_description all;
    all.add(visible).add(hidden);
    const po::variables_map given = parsed(words, all, positional);
    if (given.count("help") == 0) return given;
    std::ostringstream text;
    text << usage << visible;
    throw HelpAsked{text.str()};
}

}  // namespace echelon::tool
