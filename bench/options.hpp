// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/part.hpp"
#include "bench/wrong_use.hpp"
#include "core/collective.hpp"
#include "core/slice.hpp"
#include "hier/recipe.hpp"
#include "measure/operand.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace echelon::bench {

/// Options of echelon-bench.
struct Options {
    std::vector<Collective> collectives;
    std::vector<Bytes> bytes;
    /// A broad list for each collective, instead of `recipes`.
    bool all_recipes = false;
    std::vector<Recipe> recipes;
    /// Includes Echelon's automatic choice.
    bool automatic = false;

    int repetitions = 0;
    int warm_up = 0;
    /// Seconds for all measurements together; 0: no limit.
    double time_budget = 0;
    int root = 0;
    Operands::Type type = Operands::Type::int_;
    Operands::Op op = Operands::Op::sum;
    bool check = true;
    /// Number of communicators that recipes share; 0: each has its own.
    int communicators = 0;

    /// Measures the cost of the automatic choice against the best recipe, instead of comparing recipes.
    bool regret = false;
    bool trials = false;
    /// The communicators of --regret.
    std::vector<Part> parts;
    /// For --regret: an existing profile; else the machine is calibrated first, for `calibration` seconds.
    std::string profile;
    double calibration = 0;
    std::vector<Bytes> calibration_bytes;

    std::string json, csv;
    bool crowded = false;
    bool verbose = false;
    bool help = false, version = false;
};

/// Reads the command line of `p` ranks. Throws WrongUse.
Options parse_options(int argc, const char* const* argv, int p);

/// Reason why a named file cannot be written; empty if all can.
std::string problem_of_outputs(std::initializer_list<std::pair<const char*, std::string>> files);

/// The text of --help.
std::string help_text();

/// `all`, or some of them separated by commas; without duplicates. Throws WrongUse.
std::vector<Collective> parse_collectives(const std::string& text);
/// `8,1K,64K` and `8..1M`, in which each size is twice the preceding one. Throws WrongUse.
std::vector<Bytes> parse_sizes(const std::string& text);

}  // namespace echelon::bench
