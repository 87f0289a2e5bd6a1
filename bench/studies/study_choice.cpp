// SPDX-License-Identifier: Apache-2.0
// Repeats the choice on cells that echelon-bench --regret has measured: cost or gain of a change of the
// choice, in seconds and without a simulation.
//
// Prints a line for each result: the mean regret of the recorded choice and of the present one, by part of
// the communicator. Cells whose present choice was not measured are counted and left out on both sides.
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/statistics.hpp"
#include "estimators/choice/decide.hpp"
#include "estimators/fit/learn_corrections.hpp"
#include "options/command_line.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace echelon;

/// The operation in echelon-bench's measurements of reductions.
constexpr Operation operation{.in_order = false, .exact = false};

struct Sum {
    double before = 0, now = 0;
    int cells = 0;
    void add(double then, double today) {
        before += then;
        now += today;
        ++cells;
    }
};

void print(const Sum& sum) {
    if (sum.cells > 0)
        fmt::print(" {:.1f} -> {:.1f}", 100 * sum.before / sum.cells, 100 * sum.now / sum.cells);
}

/// Prints replayed over measured times of all recipes without native parts, by collective and family.
void print_model(const nlohmann::json& result, std::map<std::string, std::unique_ptr<Decider>>& deciders) {
    std::map<std::pair<std::string, std::string>, std::vector<double>> ratios;
    for (const auto& cell : result.at("regret").at("cells")) {
        const std::string collective = cell.at("collective");
        for (const auto& [text, seconds] : cell.at("times").items()) {
            const Recipe recipe = Recipe::parse(text);
            const auto replayed = deciders.at(cell.at("part"))
                                      ->predicted(recipe, *collective_named(collective),
                                                  cell.at("bytes").get<Bytes>(), operation);
            if (replayed)
                ratios[{collective, family_of(recipe)}].push_back(*replayed / seconds.get<double>());
        }
    }
    for (auto& [key, values] : ratios) {
        std::vector<double>& all = values;
        std::sort(all.begin(), all.end());
        fmt::print("  {} {}: {} times, replayed / measured {:.2f} ({:.2f} to {:.2f})\n", key.first,
                   key.second, all.size(), quantile(all, 0.5), quantile(all, 0.05), quantile(all, 0.95));
    }
}

/// Reliability of predictions for candidates without a measurement in this call: share of times within the
/// stated error, by source of the prediction.
class Trust {
public:
    void add(const Decision& decision, const nlohmann::json& times) {
        for (const Candidate& one : decision.ranked) {
            const auto measured = times.find(to_string(one.recipe));
            if (one.basis == Basis::measured || measured == times.end()) continue;
            const double off = std::abs(measured->get<double>() / one.expected - 1);
            const std::string kind = one.is_native()                 ? ", native"
                                     : one.recipe.has_native_parts() ? ", native parts"
                                     : one.is_final                  ? ""
                                                                     : ", a sum of phases";
            for (const std::string& name : {std::string(echelon::name(one.basis)) + kind, std::string("all")})
                offs_[name].push_back({off, one.error});
        }
    }
    void print() const {
        for (const auto& [name, offs] : offs_) {
            std::vector<double> all;
            for (const auto& one : offs) all.push_back(one.off);
            std::ranges::sort(all);
            const auto held = std::ranges::count_if(offs, [](const Off& one) { return one.off <= one.said; });
            fmt::print("{}: {} times, {:.0f} % within what was said; four of five off by at most {:.1f} %\n",
                       name, offs.size(), 100 * double(held) / double(offs.size()), 100 * quantile(all, 0.8));
        }
    }

private:
    struct Off {
        double off, said;
    };
    std::map<std::string, std::vector<Off>> offs_;
};

/// Losses of other policies, over the cells in which their choice was measured.
class Others {
public:
    void add(Decider& decider, Collective collective, Bytes bytes, const Decision& decision,
             const nlohmann::json& cell) {
        for (const Policy policy : {Policy::formula_hockney, Policy::formula_plogp, Policy::sqrt,
                                    Policy::rabenseifner2004, Policy::native}) {
            const auto recipe = decider.named(policy, collective, bytes, operation);
            if (!recipe) continue;
            Lost& lost = lost_[name(policy)];
            ++lost.cells;
            if (*recipe != decision.recipe) ++lost.others;
            const auto time = cell.at("times").find(to_string(*recipe));
            if (time == cell.at("times").end()) continue;
            ++lost.measured;
            lost.sum += time->get<double>() / cell.at("best_seconds").get<double>() - 1;
        }
    }
    void print() const {
        for (const auto& [name, lost] : lost_)
            fmt::print(
                "{}: another recipe in {:.0f} % of {} cells; {:.0f} % lost in the {} in which it was measured\n",
                name, 100.0 * lost.others / lost.cells, lost.cells,
                100 * lost.sum / std::max(lost.measured, 1), lost.measured);
    }

private:
    struct Lost {
        int cells = 0, others = 0, measured = 0;
        double sum = 0;
    };
    std::map<std::string_view, Lost> lost_;
};

/// Sums over all results.
struct Totals {
    Trust trust;
    Others others;
};

void study(const std::string& path, double told_from, bool model, Totals& totals) {
    const auto result = nlohmann::json::parse(read_file(path));
    Profile calibrated = Profile::parse(result.at("profile").dump());
    learn_corrections(calibrated);
    const auto profile = std::make_shared<const Profile>(std::move(calibrated));
    std::map<std::string, std::unique_ptr<Decider>> deciders;
    for (const auto& [part, words] : result.at("placements").items())
        deciders[part] = std::make_unique<Decider>(profile, placements(words.get<std::string>()));
    Sum all;
    std::map<std::string, Sum> parts;
    int unknown = 0, slower = 0;
    double worst = -1;
    for (const auto& cell : result.at("regret").at("cells")) {
        const auto collective = *collective_named(cell.at("collective").get<std::string>());
        const auto bytes = cell.at("bytes").get<Bytes>();
        const std::string part = cell.at("part");
        const Decision decision = deciders.at(part)->decide(collective, bytes, operation);
        const auto& times = cell.at("times");
        totals.trust.add(decision, times);
        totals.others.add(*deciders.at(part), collective, bytes, decision, cell);
        const auto chosen = times.find(to_string(decision.recipe));
        if (chosen == times.end()) {
            ++unknown;
            if (told_from >= 0)
                fmt::print("  {} {} {}: {} was not measured\n", part, name(collective), bytes,
                           to_string(decision.recipe));
            continue;
        }
        const double seconds = chosen->get<double>(), best = cell.at("best_seconds");
        const double regret = seconds / best - 1,
                     native = seconds / cell.at("native_seconds").get<double>() - 1;
        const double before = cell.at("regret");
        all.add(before, regret);
        parts[part].add(before, regret);
        worst = std::max(worst, native);
        constexpr double late = 0.02;
        if (native > late) ++slower;
        if (told_from >= 0 && (100 * regret >= told_from || native > late))
            fmt::print(
                "  {} {} {}: {:.0f} -> {:.0f} % (native {:+.0f} %) {} ({:.1f} us, expected {:.1f}, {}) best {}\n",
                part, name(collective), bytes, 100 * before, 100 * regret, 100 * native,
                to_string(decision.recipe), 1e6 * seconds, 1e6 * decision.expected, name(decision.basis),
                cell.at("best").get<std::string>());
    }
    fmt::print("{}: {} cells:", path, all.cells);
    print(all);
    fmt::print(" %; {} more than 2 % slower than native, worst {:+.0f} %; {} unknown;", slower, 100 * worst,
               unknown);
    for (const auto& [part, sum] : parts) {
        fmt::print(" {}", part);
        print(sum);
    }
    fmt::print("\n");
    if (model) print_model(result, deciders);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        namespace po = boost::program_options;
        double told_from = -1;
        std::vector<std::string> files;
        po::options_description visible("study_choice [options] RESULT.json...", 100), all;
        visible.add_options()("help,h", "this text")  //
            ("cells", po::value(&told_from)->value_name("PERCENT"),
             "print the cells that lose so many or more")                                               //
            ("model", "print how far replays of all measured recipes are from their times, by family")  //
            ("trust",
             "print how often times that were not measured in such calls lie within the error that is said")  //
            ("policies", "print how often other policies choose another recipe, and what they lose");
        all.add(visible).add_options()("file", po::value(&files));
        const auto given =
            parsed({argv + 1, argv + argc}, all, po::positional_options_description().add("file", -1));
        if (given.count("help") != 0) std::cout << visible;
        Totals totals;
        for (const std::string& file : files) study(file, told_from, given.count("model") != 0, totals);
        if (given.count("trust") != 0) totals.trust.print();
        if (given.count("policies") != 0) totals.others.print();
    } catch (const std::exception& error) {
        fmt::print(stderr, "study_choice: {}\n", error.what());
        return 1;
    }
}
