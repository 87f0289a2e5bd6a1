// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/subcommand.hpp"

#include "apps/echelon/read_options.hpp"
#include "settings/settings_table.hpp"

#include <iostream>

namespace echelon::tool {

int print_settings(const std::vector<std::string>& arguments) {
    boost::program_options::options_description options("options");
    options.add_options()("help,h", "this text")("page", "print the document docs/settings.md");
    const auto given =
        read_options(arguments,
                     "usage: echelon settings [--page]\n\n"
                     "Prints all that environment variables, info keys and configuration files can set.\n",
                     options);
    std::cout << (given.count("page") != 0 ? settings_page() : settings_help());
    return done;
}

}  // namespace echelon::tool
