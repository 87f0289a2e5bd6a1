// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/subcommand.hpp"

#include "apps/echelon/read_options.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/spelling.hpp"
#include "options/command_line.hpp"
#include "options/output.hpp"

#include <echelon/version.h>

#include <fmt/format.h>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>

namespace echelon::tool {
namespace {

constexpr std::array subcommands{
    Subcommand{"bench", "compare recipes with the MPI library's own collectives, on ranks of any MPI", bench},
    Subcommand{"calibrate", "measure this machine and write its profile, on ranks of any MPI", calibrate},
    Subcommand{"catalog", "print all flat algorithms as a table", print_catalog},
    Subcommand{"cluster",
               "run MPI programs on a cluster of namespaces with a shaped network, on this machine", cluster},
    Subcommand{"compare", "compare with the collectives of other MPI libraries, simulated by SimGrid",
               compare},
    Subcommand{"explain", "print what a profile chooses for a call, what else there is, and why not that",
               explain_call},
    Subcommand{"fit", "make a profile from a table of measured times, without MPI", fit_table},
    Subcommand{"lint", "check a profile: unknown keys, rules that never apply, recipes that cannot serve",
               lint_profile},
    Subcommand{"map", "print what a profile chooses over numbers of ranks and sizes, as CSV", print_map},
    Subcommand{"plot", "draw results of echelon-bench, maps, profiles and summaries as SVG, PNG or PDF",
               plot},
    Subcommand{"profiles",
               "list the profiles of this machine, which one programs go by, and why not the others",
               list_profiles},
    Subcommand{"report", "write one HTML page of the same, with what ran, why, and what was saved", report},
    Subcommand{"run", "start an MPI program with the drop-in library for its MPI in front", run},
    Subcommand{"settings", "print all that can be set from outside of a program", print_settings},
    Subcommand{"simulate", "print, prove, time or draw what a recipe does on p ranks, without MPI", simulate},
};

void print_help(std::FILE* out) {
    std::fputs("usage: echelon SUBCOMMAND [options]\n\nsubcommands, each with a --help of its own:\n", out);
    for (const auto& subcommand : subcommands)
        fmt::print(out, "  {:<10} {}\n", subcommand.name, subcommand.summary);
    std::fputs(
        "\n  -h, --help, help SUBCOMMAND; -v, --version\nexit codes: 0 done, 1 it failed, 2 wrong use\n",
        out);
}

/// An installed `echelon-bench` is another name of this program and means `echelon bench`.
std::vector<std::string> words_of(int argc, char** argv) {
    std::vector<std::string> words{argv + 1, argv + argc};
    const std::string name = std::filesystem::path(argv[0]).filename();
    for (const auto& subcommand : subcommands)
        if (name == "echelon-" + std::string(subcommand.name)) words.insert(words.begin(), name.substr(8));
    return words;
}

int dispatch(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
        print_help(stderr);
        return wrong_use;
    }
    if (arguments[0] == "help" && arguments.size() > 1 && arguments[1] != "help")
        return dispatch({arguments[1], "--help"});
    if (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
        print_help(stdout);
        return done;
    }
    const auto asks_version = [](const std::string& word) { return word == "--version" || word == "-v"; };
    if (asks_version(arguments[0])) {
        std::puts("echelon " ECHELON_VERSION);
        return done;
    }
    for (const auto& subcommand : subcommands)
        if (arguments[0] == subcommand.name && arguments.size() == 2 && asks_version(arguments[1]))
            return dispatch({"--version"});
        else if (arguments[0] == subcommand.name)
            return subcommand.run({arguments.begin() + 1, arguments.end()});
    std::vector<std::string> names;
    for (const auto& subcommand : subcommands) names.emplace_back(subcommand.name);
    throw Error(
        with_help("there is no subcommand '" + arguments[0] + '\'' + did_you_mean(arguments[0], names),
                  "echelon --help"));
}

int run_or_help(const std::vector<std::string>& words) {
    try {
        return dispatch(words);
    } catch (const HelpAsked& help) {
        std::fputs(help.text.c_str(), stdout);
        return done;
    }
}

}  // namespace
}  // namespace echelon::tool

int main(int argc, char** argv) {
    using namespace echelon::tool;
    std::vector<std::string> words;
    try {
        words = words_of(argc, argv);
        const int code = run_or_help(words);
        const std::string problem = echelon::problem_of_output();
        if (!problem.empty()) throw echelon::NotWritten(problem);
        return code;
    } catch (const echelon::NotWritten& error) {
        std::fprintf(stderr, "echelon: %s\n", error.what());
        return failed;
    } catch (const echelon::Error& error) {
        std::fprintf(stderr, "echelon: %s\n", error.what());
    } catch (const boost::program_options::error& error) {
        fmt::print(stderr, "echelon: {}\n",
                   echelon::with_help(error.what(), "echelon " + words[0] + " --help"));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "echelon: %s\n", error.what());
        return failed;
    }
    return wrong_use;
}
