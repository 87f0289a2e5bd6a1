// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/subcommand.hpp"

#include "cache/settings_table.hpp"
#include "options/command_line.hpp"

#include <iostream>

namespace echelon::tool {

int print_settings(const std::vector<std::string>& arguments) {
    boost::program_options::options_description options("options");
    options.add_options()("help,h", "this text")("page", "print the document docs/settings.md");
    const auto given = parsed(arguments, options);
    if (given.count("help") != 0)
        std::cout << "usage: echelon settings [--page]\n\n"
                     "Prints all that environment variables, info keys and configuration files can set.\n"
                  << options;
    else
        std::cout << (given.count("page") != 0 ? settings_page() : settings_help());
    return done;
}

}  // namespace echelon::tool
