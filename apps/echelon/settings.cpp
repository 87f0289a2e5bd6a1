// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/subcommand.hpp"

#include "cache/settings_table.hpp"
#include "core/error.hpp"

#include <iostream>

namespace echelon::tool {

int print_settings(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
        std::cout << settings_help();
    } else if (arguments == std::vector<std::string>{"--page"}) {
        std::cout << settings_page();
    } else if (arguments == std::vector<std::string>{"--help"} ||
               arguments == std::vector<std::string>{"-h"}) {
        std::cout
            << "usage: echelon settings [--page]\n\n"
               "Prints all that environment variables, info keys and configuration files can set; with --page as\n"
               "the document docs/settings.md.\n";
    } else {
        throw Error("settings takes no '" + arguments[0] + "'; see echelon settings --help");
    }
    return done;
}

}  // namespace echelon::tool
