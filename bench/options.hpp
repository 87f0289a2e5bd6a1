// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/part.hpp"
#include "core/collective.hpp"
#include "core/slice.hpp"
#include "hier/recipe.hpp"
#include "measure/operand.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace echelon::bench {

/// What the command line asks for.
struct Options {
    std::vector<Collective> collectives;
    std::vector<Bytes> bytes;
    /// A broad list for each collective, instead of `recipes`.
    bool all_recipes = false;
    std::vector<Recipe> recipes;
    /// What Echelon chooses by itself takes part too.
    bool automatic = false;

    int repetitions = 0;
    int warm_up = 0;
    /// Seconds for all measurements together; 0: as long as it takes.
    double time_budget = 0;
    int root = 0;
    Operands::Type type = Operands::Type::int_;
    Operands::Op op = Operands::Op::sum;
    bool check = true;
    /// Recipes share so many communicators; 0: each has its own.
    int communicators = 0;

    /// Instead of comparing recipes: what does the automatic choice cost against the best of them?
    bool regret = false;
    bool trials = false;
    /// The communicators that it asks.
    std::vector<Part> parts;
    /// For it: an existing profile; else the machine is calibrated first, for so long.
    std::string profile;
    double calibration = 0;
    std::vector<Bytes> calibration_bytes;

    std::string json, csv;
    bool crowded = false;
    bool verbose = false;
    bool help = false, version = false;
};

/// Wrong use: one sentence, what, where and what would be right.
struct WrongUse : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Reads the command line of `p` ranks. Throws WrongUse.
Options parse_options(int argc, const char* const* argv, int p);

/// Why one of the files that options name cannot be written; empty: they can.
std::string problem_of_outputs(std::initializer_list<std::pair<const char*, std::string>> files);

/// The text of --help.
std::string help_text();

/// `all`, or some of them with commas between; each once. Throws WrongUse.
std::vector<Collective> parse_collectives(const std::string& text);
/// `8,1K,64K` and `8..1M`, each size the double of the one before. Throws WrongUse.
std::vector<Bytes> parse_sizes(const std::string& text);

}  // namespace echelon::bench
