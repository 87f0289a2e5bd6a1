// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/profile_option.hpp"
#include "apps/echelon/read_options.hpp"
#include "apps/echelon/subcommand.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "estimators/choice/lint.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

namespace echelon::tool {
namespace po = boost::program_options;

int lint_profile(const std::vector<std::string>& arguments) {
    std::vector<std::string> files;
    po::options_description visible("options"), hidden;
    visible.add_options()("help,h", "this text")("json", "print JSON");
    hidden.add_options()("file", po::value(&files));
    const po::variables_map given = read_options(
        arguments,
        "usage: echelon lint [--json] FILE...\n\n"
        "Checks profiles, and says in a line each what is wrong or strange. Exit code 1: an error was "
        "found; with warnings and notes alone, 0.\n",
        visible, hidden, po::positional_options_description().add("file", -1));
    if (files.empty()) throw Error("give a profile: echelon lint profile.json");
    const bool json = given.count("json") != 0;
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
