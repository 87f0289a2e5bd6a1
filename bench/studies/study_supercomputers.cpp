// SPDX-License-Identifier: Apache-2.0
// Measured supercomputers: the choice at N nodes by a machine and corrections that were fitted on at most
// N/2, N/4 or N/8 nodes. usage: study_supercomputers TABLE.csv [DIVISOR...] (columns like in echelon fit)
//
// A cell is one collective and size of one run on N nodes, with all algorithms that the smaller runs have
// too. The libraries' own choice (default) is no algorithm here.
#include "core/error.hpp"
#include "core/file.hpp"
#include "estimators/choice/decide.hpp"
#include "estimators/fit/fit_samples.hpp"
#include "estimators/fit/learn_corrections.hpp"
#include "estimators/fit/library_names.hpp"
#include "estimators/fit/measured_table.hpp"
#include "groups/layout.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <optional>

namespace {

using namespace echelon;

/// Implementations by the beginnings of their names, and the row whose messages have equal lengths, which
/// gives the growth of their times. Rows of halving and doubling do so better than the catalog's Bine rows.
struct Relative {
    Collective collective;
    std::string_view begins, row;
};
// clang-format off
constexpr std::array relatives{
    Relative{Collective::allreduce, "bine_lat", "recursive_doubling"},
    Relative{Collective::allreduce, "bine_block_by_block", "direct"},  // each block is a separate message
    Relative{Collective::allreduce, "bine_b", "rabenseifner"},
    Relative{Collective::allreduce, "non_blocking", "rabenseifner"},  // MPICH's, of 2 KiB and more
    Relative{Collective::allreduce, "allgather_reduce", "linear"},
    Relative{Collective::allgather, "bine_block_by_block", "linear"},
    Relative{Collective::reduce_scatter, "bine_block_by_block", "linear"},
    Relative{Collective::allgather, "bine", "doubling"},
    Relative{Collective::allgather, "sparbit", "circulant"},
    Relative{Collective::allgather, "neighbor", "ring"},
    Relative{Collective::reduce_scatter, "bine", "halving"},
    Relative{Collective::reduce, "bine_lat", "binomial"},
    Relative{Collective::reduce, "bine_b", "rabenseifner"},
    Relative{Collective::bcast, "bine_lat", "binomial"},
    Relative{Collective::bcast, "bine_b", "scatter_allgather"},
    Relative{Collective::gather, "bine", "binomial"},
    Relative{Collective::scatter, "bine", "binomial"},
    Relative{Collective::alltoall, "bine", "bruck"}};
// clang-format on

std::optional<Recipe> relative_of(Collective collective, std::string_view algorithm) {
    for (const Relative& one : relatives)
        if (one.collective == collective && algorithm.starts_with(one.begins)) return Recipe::parse(one.row);
    return std::nullopt;
}

bool is_default(Collective collective, const std::string& algorithm) {
    const auto recipe = recipe_called(collective, algorithm);
    return recipe && recipe->kind == Recipe::Kind::native;
}

/// Median times of one collective and size in a run, by algorithm.
using Times = std::map<std::string, Seconds>;
struct Run {
    std::string machine, library, name;
    Collective collective;
    int nodes, each;
    auto operator<=>(const Run&) const = default;
    bool same_place(const Run& other) const {
        return machine == other.machine && library == other.library && collective == other.collective &&
               each == other.each;
    }
};
using Runs = std::map<Run, std::map<Bytes, Times>>;

/// The choice of one fit: the library's own path, a decider for each implementation of a row. Two
/// implementations share the machine and have corrections of their own.
class Fitted {
public:
    explicit Fitted(const std::vector<MeasuredLine>& lines) {
        std::vector<Sample> all;
        for (const MeasuredLine& line : lines) {
            if (is_default(line.collective, line.algorithm)) continue;
            const bool own = recipe_called(line.collective, line.algorithm).has_value();
            const auto recipe = own ? recipe_called(line.collective, line.algorithm)
                                    : relative_of(line.collective, line.algorithm);
            if (!recipe) continue;
            const Sample sample{line.collective, line.ranks(), layout(line.nodes, line.ranks_per_node),
                                line.bytes,      *recipe,      line.seconds};
            if (own) all.push_back(sample);
            implementations_[{line.collective, line.algorithm}].samples.push_back(sample);
        }
        parameters_ = fit_samples(all);
        for (auto& [which, profile] : implementations_) {
            profile.parameters = parameters_;
            learn_corrections(profile);
        }
    }

    Seconds expected(const Run& run, const std::string& algorithm, Bytes bytes) {
        const auto profile = implementations_.find({run.collective, algorithm});
        if (profile == implementations_.end()) return unlimited;
        const Recipe& recipe = profile->second.samples.front().recipe;
        Decider decider(std::make_shared<const Profile>(profile->second),
                        placement_of_layout(layout(run.nodes, run.each)));
        const Seconds time = decider.expected(recipe, run.collective, bytes, {});
        return time > 0 ? time : unlimited;
    }
    /// Time by the machine alone, without corrections.
    Seconds predicted(const Run& run, const std::string& algorithm, Bytes bytes) {
        const auto known = implementations_.find({run.collective, algorithm});
        if (known == implementations_.end()) return unlimited;
        Decider decider(std::make_shared<const Profile>(Profile{.parameters = parameters_}),
                        placement_of_layout(layout(run.nodes, run.each)));
        return decider.predicted(known->second.samples.front().recipe, run.collective, bytes, {})
            .value_or(unlimited);
    }
    const Parameters& parameters() const { return parameters_; }

private:
    static std::string layout(int nodes, int each) {
        return std::to_string(nodes) + 'x' + std::to_string(each);
    }

    Parameters parameters_;
    std::map<std::pair<Collective, std::string>, Profile> implementations_;
};

/// One method of choice, over all cells.
struct Way {
    const char* name;
    double lost = 0, worst = 0;
    int cells = 0;
    void add(double regret) {
        lost += regret;
        worst = std::max(worst, regret);
        ++cells;
    }
};

Runs runs_of(const std::vector<MeasuredLine>& lines) {
    Runs runs;
    for (const MeasuredLine& line : lines)
        runs[{line.machine, line.library, line.run, line.collective, line.nodes, line.ranks_per_node}]
            [line.bytes][line.algorithm] = line.seconds;
    return runs;
}

/// The lines that a choice on `run` may use.
std::vector<MeasuredLine> smaller(const std::vector<MeasuredLine>& lines, const Run& run, int divisor) {
    std::vector<MeasuredLine> kept;
    for (const MeasuredLine& line : lines)
        if (line.machine == run.machine && line.library == run.library && line.nodes * divisor <= run.nodes)
            kept.push_back(line);
    return kept;
}

std::string winner(const Times& times, const std::vector<std::string>& among) {
    std::string best;
    for (const std::string& one : among)
        if (times.contains(one) && (best.empty() || times.at(one) < times.at(best))) best = one;
    return best;
}

void study(const std::vector<MeasuredLine>& lines, int divisor) {
    const Runs runs = runs_of(lines);
    std::array ways{Way{"fitted machine, corrected by the nearest scale (`Decider`)"},
                    Way{"fitted machine alone"}, Way{"the winner of the nearest scale, carried over"},
                    Way{"the winner of the smallest scale, carried over"},
                    Way{"what the library chooses by itself"}};
    // Equal lines make equal fits.
    std::map<std::pair<std::string, std::size_t>, std::shared_ptr<Fitted>> fits;
    for (const auto& [run, sizes] : runs) {
        std::shared_ptr<Fitted> fitted;
        for (const auto& [bytes, times] : sizes) {
            // Times of the smaller runs, by number of nodes: a larger run's time replaces a smaller run's.
            Times nearest, smallest;
            std::vector<std::pair<int, const Times*>> before;
            for (const auto& [other, theirs] : runs)
                if (other.same_place(run) && other.nodes * divisor <= run.nodes && theirs.contains(bytes))
                    before.emplace_back(other.nodes, &theirs.at(bytes));
            std::stable_sort(before.begin(), before.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
            for (const auto& [nodes, theirs] : before)
                for (const auto& [algorithm, seconds] : *theirs) {
                    nearest[algorithm] = seconds;
                    smallest.try_emplace(algorithm, seconds);
                }
            std::vector<std::string> common;
            Seconds own = 0, best = unlimited;
            for (const auto& [algorithm, seconds] : times) {
                const bool chosen_by_library = is_default(run.collective, algorithm);
                if (chosen_by_library) own = seconds;
                if (chosen_by_library || !nearest.contains(algorithm)) continue;
                common.push_back(algorithm);
                best = std::min(best, seconds);
            }
            if (common.size() < 2) continue;
            if (fitted == nullptr) {
                const auto known = smaller(lines, run, divisor);
                auto& fit = fits[{run.machine + run.library, known.size()}];
                if (fit == nullptr) fit = std::make_shared<Fitted>(known);
                fitted = fit;
            }
            Times by_expected, by_predicted;
            for (const std::string& one : common) {
                by_expected[one] = fitted->expected(run, one, bytes);
                by_predicted[one] = fitted->predicted(run, one, bytes);
            }
            const std::array chosen{winner(by_expected, common), winner(by_predicted, common),
                                    winner(nearest, common), winner(smallest, common)};
            for (std::size_t i = 0; i < chosen.size(); ++i) ways[i].add(times.at(chosen[i]) / best - 1);
            if (const double lost = times.at(chosen[0]) / best - 1; lost > 0.1)
                fmt::print(stderr, "N/{}: {} {} on {} nodes of {}: {} loses {:.0f} % to {}\n", divisor,
                           name(run.collective), format_bytes(bytes), run.nodes, run.machine, chosen[0],
                           100 * lost, winner(times, common));
            if (own > 0) ways.back().add(std::max(0.0, own / best - 1));
        }
    }
    fmt::print(
        "\nFitted on at most N/{} nodes:\n\n| way to choose | cells | lost against the best, mean % | at worst % |\n|---|---:|---:|---:|\n",
        divisor);
    for (const Way& way : ways)
        fmt::print("| {} | {} | {:.1f} | {:.0f} |\n", way.name, way.cells,
                   100 * way.lost / std::max(1, way.cells), 100 * way.worst);
    std::fflush(stdout);
}

void print_names(const std::vector<MeasuredLine>& lines) {
    std::map<std::pair<Collective, std::string>, int> counts;
    for (const MeasuredLine& line : lines) ++counts[{line.collective, line.algorithm}];
    fmt::print("| collective | algorithm | lines | row of ours | grows as |\n|---|---|---:|---|---|\n");
    for (const auto& [which, count] : counts) {
        const auto& [collective, algorithm] = which;
        const auto own = recipe_called(collective, algorithm), like = relative_of(collective, algorithm);
        fmt::print("| {} | {} | {} | {} | {} |\n", name(collective), algorithm, count,
                   own ? to_string(*own) : "left out", own || !like ? "" : to_string(*like));
    }
}

}  // namespace

int main(int count, char** words) {
    try {
        if (count < 2) throw Error("usage: study_supercomputers TABLE.csv [DIVISOR...]");
        const auto lines = read_table(read_file(words[1]));
        std::vector<int> divisors{2, 4, 8};
        if (count > 2) divisors.clear();
        for (int i = 2; i < count; ++i) divisors.push_back(std::stoi(words[i]));
        for (const int divisor : divisors) study(lines, divisor);
        fmt::print("\n");
        print_names(lines);
    } catch (const std::exception& error) {
        fmt::print(stderr, "study_supercomputers: {}\n", error.what());
        return 1;
    }
    return 0;
}
