// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echelon::tool {

/// Exit codes of all our programs.
enum ExitCode { done = 0, failed = 1, wrong_use = 2 };

/// A subcommand: one file of its name, and one row in main.cpp.
struct Subcommand {
    std::string_view name;
    std::string_view summary;
    /// Gets the words behind its name. Throws Error for wrong use: the caller prints the sentence and exits
    /// with 2.
    int (*run)(const std::vector<std::string>& arguments);
};

/// Become echelon-bench and echelon-calibrate for the MPI whose launcher started this process; do not return.
int bench(const std::vector<std::string>& arguments);
int calibrate(const std::vector<std::string>& arguments);
int cluster(const std::vector<std::string>& arguments);
int print_catalog(const std::vector<std::string>& arguments);
int compare(const std::vector<std::string>& arguments);
int explain_call(const std::vector<std::string>& arguments);
int fit_table(const std::vector<std::string>& arguments);
int lint_profile(const std::vector<std::string>& arguments);
int print_map(const std::vector<std::string>& arguments);
int plot(const std::vector<std::string>& arguments);
int list_profiles(const std::vector<std::string>& arguments);
int print_settings(const std::vector<std::string>& arguments);
int report(const std::vector<std::string>& arguments);
int run(const std::vector<std::string>& arguments);
int simulate(const std::vector<std::string>& arguments);
/// Handles the words behind `simulate` if they run a program, and not a recipe.
int simulate_program(const std::vector<std::string>& arguments);

}  // namespace echelon::tool
