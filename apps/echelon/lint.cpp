// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/profile_option.hpp"
#include "apps/echelon/subcommand.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "estimators/choice/lint.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

namespace echelon::tool {

int lint_profile(const std::vector<std::string>& arguments) {
    bool json = false;
    std::vector<std::string> files;
    for (const std::string& argument : arguments) {
        if (argument == "--help" || argument == "-h") {
            std::cout
                << "usage: echelon lint [--json] FILE...\n\n"
                   "Checks profiles, and says in a line each what is wrong or strange. Exit code 1: an error was "
                   "found; with warnings and notes alone, 0.\n";
            return done;
        }
        if (argument == "--json")
            json = true;
        else if (argument.starts_with("-"))
            throw Error("echelon lint knows no option " + argument + "; see echelon lint --help");
        else
            files.push_back(argument);
    }
    if (files.empty()) throw Error("give a profile: echelon lint profile.json");
    bool good = true;
    auto all = nlohmann::ordered_json::array();
    for (const std::string& file : files) {
        const auto findings = lint(read_file(file));
        for (const auto& [grade, place, sentence] : findings) {
            good = good && grade != Finding::Grade::error;
            if (json)
                all.push_back(
                    {{"file", file}, {"grade", name(grade)}, {"place", place}, {"sentence", sentence}});
            else
                std::cout << file << ": " << name(grade) << ": " << place << (place.empty() ? "" : ": ")
                          << sentence << '\n';
        }
        if (findings.empty() && !json) std::cout << file << ": good\n";
    }
    if (json) std::cout << all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    return good ? done : failed;
}

}  // namespace echelon::tool
