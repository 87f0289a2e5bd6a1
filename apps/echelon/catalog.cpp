// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/read_options.hpp"
#include "apps/echelon/subcommand.hpp"
#include "flat/algorithm.hpp"
#include "hier/shapes.hpp"

#include <fmt/ranges.h>
#include <iostream>

namespace echelon::tool {
namespace {

/// Cost of an algorithm on p ranks: "8 / 1.88 / 0.94" are steps, volume and reductions; the latter two in
/// vectors.
std::string cost_text(const Algorithm& row, int p) {
    // A multiple of every number of blocks and segments.
    const Bytes bytes = Bytes(p) * 1024 * 1024;
    const Cost cost = row.cost({.p = p,
                                .bytes = row.collective == Collective::barrier ? 0 : bytes,
                                .segment = 0,
                                .radix = row.default_radix});
    return fmt::format("{:.0f} / {:.2f} / {:.2f}", cost.steps, cost.volume / double(bytes),
                       cost.reductions / double(bytes));
}

int print_shapes() {
    std::cout << "| shape | collective | what it does | `seg=` | groups |\n|---|---|---|---|---|\n";
    for (const ShapeRow& row : shape_rows()) {
        std::vector<std::string> moves;
        for (const Move& move : row.moves()) moves.push_back(to_string(move));
        std::cout << fmt::format("| `{}` | {} | {} | {} | {} |\n", name(row.shape), name(row.collective),
                                 fmt::join(moves, "; "), row.takes_segment() ? "yes" : "no",
                                 row.needs == ShapeRow::Needs::equal_groups        ? "of equal size"
                                 : row.needs == ShapeRow::Needs::consecutive_ranks ? "of consecutive ranks"
                                                                                   : "any");
    }
    return done;
}

}  // namespace

int print_catalog(const std::vector<std::string>& arguments) {
    boost::program_options::options_description options("options");
    options.add_options()("help,h", "this text")("shapes", "print the shapes");
    const auto given = read_options(
        arguments,
        "usage: echelon catalog [--shapes]\n\nPrints all flat algorithms, or all shapes, as a table (Markdown).\n",
        options);
    if (given.count("shapes") != 0) return print_shapes();
    for (const Collective collective : all_collectives) {
        bool first = true;
        for (const auto& row : catalog()) {
            if (row.collective != collective) continue;
            if (first)
                std::cout << fmt::format(
                    "### {}\n\n"
                    "| algorithm | parameters | p = 8 | p = 13 | rank order | best for | source |\n"
                    "|---|---|---|---|---|---|---|\n",
                    name(collective));
            first = false;
            std::vector<std::string> parameters;
            if (row.takes_segment) parameters.push_back("seg=");
            if (row.takes_radix) parameters.push_back(std::string(row.radix_name) + "=");
            if (row.takes_schedule) parameters.push_back("schedule=");
            std::cout << fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", row.name,
                                     fmt::join(parameters, ", "), cost_text(row, 8), cost_text(row, 13),
                                     !reduces(collective)        ? "-"
                                     : row.keeps_order           ? "kept"
                                     : row.exact_operations_only ? "no; exact operations"
                                                                 : "no",
                                     row.best_for, row.source);
        }
        if (!first) std::cout << '\n';
    }
    return done;
}

}  // namespace echelon::tool
