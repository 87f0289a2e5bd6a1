// SPDX-License-Identifier: Apache-2.0
#include "measure/regret_on.hpp"

#include "core/wire.hpp"
#include "measure/other_choices.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/quirks.hpp"
#include "tuner/mail.hpp"
#include "tuner/would_run.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

namespace echelon {
namespace {

/// Recipes measured again if times are noisy: native, the fastest few, and the choices of models and
/// policies. The fastest of many noisy times was also lucky; it has to be fast in a second measurement, too.
std::vector<Recipe> finalists(const std::vector<Trainer::Measured>& measured,
                              const std::vector<OtherChoices::Choice>& choices) {
    std::vector<const Trainer::Measured*> by_time;
    for (const Trainer::Measured& one : measured)
        if (one.timing && !one.automatic) by_time.push_back(&one);
    std::stable_sort(by_time.begin(), by_time.end(), [](const auto* a, const auto* b) {
        return a->timing->seconds.median < b->timing->seconds.median;
    });
    constexpr std::size_t few = 5;
    by_time.resize(std::min(by_time.size(), few));
    std::vector<Recipe> all{Recipe()};
    const auto add = [&](const Recipe& recipe) {
        if (std::find(all.begin(), all.end(), recipe) == all.end()) all.push_back(recipe);
    };
    for (const auto* const one : by_time) add(one->recipe);
    for (const auto& choice : choices)
        if (!choice.name.empty()) add(choice.recipe);
    return all;
}

/// Looks up the times of the choices among the measurements.
void add_others(RegretCell& cell, const std::vector<OtherChoices::Choice>& choices,
                const std::vector<Trainer::Measured>& measured) {
    for (const auto& [name, recipe] : choices) {
        if (name.empty()) continue;
        RegretCell::Other other{name, to_string(recipe), 0};
        for (const Trainer::Measured& one : measured)
            if (one.recipe == recipe && one.timing && !one.automatic)
                other.seconds = one.timing->seconds.median;
        cell.others.push_back(std::move(other));
    }
}

/// The cell made from measurements of all recipes, with the automatic choice among them.
RegretCell cell_of(Collective collective, Bytes bytes, const std::string& chosen, const std::string& source,
                   const std::vector<Trainer::Measured>& measured) {
    RegretCell cell;
    cell.collective = collective;
    cell.bytes = bytes;
    cell.chosen = chosen;
    cell.source = source;
    double best_spread = 0, own_spread = 0;
    for (const Trainer::Measured& one : measured) {
        if (!one.timing) continue;
        const Recipe& recipe = one.recipe;
        const bool is_automatic = one.automatic;
        const double seconds = one.timing->seconds.median, spread = one.timing->spread();
        if (!is_automatic) cell.times.emplace_back(to_string(recipe), seconds);
        if (is_automatic) cell.seconds = seconds, own_spread = spread;
        if (!is_automatic && recipe.kind == Recipe::Kind::native) cell.native_seconds = seconds;
        if (cell.best_seconds == 0 || seconds < cell.best_seconds) {
            cell.best_seconds = seconds;
            cell.best = is_automatic ? chosen : to_string(recipe);
            best_spread = spread;
        }
    }
    cell.noise = own_spread + best_spread;
    return cell;
}

/// Evaluates the cells of one communicator.
class Asking {
public:
    Asking(Trainer& trainer, const Profile& profile, const RegretTask& task)
        : trainer_(trainer), tuner_(trainer.tuner()), task_(task) {
        tuner_.set_profile(std::make_shared<const Profile>(profile));
        placement_ = tuner_.own().placement(true, true);  // calibration may have found sites
        if (tuner_.rank() == 0) proposers_.emplace(profile, placement_);
    }

    std::vector<RegretCell> run() {
        task_.begun(placement_);
        std::vector<RegretCell> cells;
        for (const Collective collective : task_.collectives)
            for (const Bytes bytes : task_.sizes) {
                cells.push_back(cell(collective, bytes));
                task_.done(cells.back());
            }
        return cells;
    }

private:
    RegretCell cell(Collective collective, Bytes bytes) {
        const auto choices = proposals(collective, bytes);
        auto measured = measure(collective, bytes, list(collective, choices));
        const auto recipes =
            std::size_t(std::count_if(measured.begin(), measured.end() - 1,
                                      [](const Trainer::Measured& one) { return one.timing.has_value(); }));
        if (!quirks::simulated && task_.repetitions > 1)  // virtual time is exact
            measured = measure(collective, bytes, finalists(measured, choices));
        settle(tuner_);
        const InWords runs = would_run(tuner_, collective, bytes);
        RegretCell made = cell_of(collective, bytes, runs.recipe, runs.source, measured);
        made.ranks = placement_.size();
        made.recipes = recipes;
        add_others(made, choices, measured);
        return made;
    }

    std::vector<Trainer::Measured> measure(Collective collective, Bytes bytes,
                                           const std::vector<Recipe>& recipes) {
        constexpr double hopeless = 1.5;
        return trainer_.measure(
            collective, bytes, recipes,
            {.fewest = std::min(5, task_.repetitions), .rounds = task_.repetitions, .hopeless = hopeless},
            task_.automatic);
    }

    /// Models that propose recipes; their replays run on one rank for all.
    struct Proposers {
        Proposers(const Profile& profile, const Placement& placement)
            : decider(std::make_shared<const Profile>(profile), placement), others(profile, placement) {}
        Decider decider;
        OtherChoices others;
    };
    /// Named choices of models and policies, and the model's further proposals with empty names.
    std::vector<OtherChoices::Choice> proposals(Collective collective, Bytes bytes) {
        constexpr std::size_t most = 30;
        std::string text;
        const auto put = [](std::string& made, std::string_view name, const Recipe& recipe) {
            put_word(made, name);
            put_word(made, to_string(recipe));
        };
        if (proposers_) {
            for (const auto& [name, recipe] : proposers_->others.of(collective, bytes))
                put(text, name, recipe);
            for (const Candidate& one :
                 proposers_->decider.shortlist(collective, bytes, Trainer::operation(), most))
                put(text, "", one.recipe);
        }
        std::vector<OtherChoices::Choice> choices;
        text = broadcast(std::move(text), tuner_.user());
        for (std::string_view rest = text; !rest.empty();) {
            std::string name = take_word(rest);
            choices.push_back({std::move(name), Recipe::parse(take_word(rest))});
        }
        return choices;
    }

    /// Recipes to measure, each once, native first.
    std::vector<Recipe> list(Collective collective, const std::vector<OtherChoices::Choice>& choices) const {
        std::vector<Recipe> all{Recipe()};
        const auto add = [&](const Recipe& recipe) {
            if (std::find(all.begin(), all.end(), recipe) == all.end()) all.push_back(recipe);
        };
        for (const auto& choice : choices) add(choice.recipe);
        for (const Recipe& recipe : task_.recipes(collective, placement_)) add(recipe);
        return all;
    }

    Trainer& trainer_;
    Tuner& tuner_;
    const RegretTask& task_;
    Placement placement_;
    std::optional<Proposers> proposers_;  // on rank 0
};

}  // namespace

std::vector<RegretCell> regret_on(Trainer& trainer, const Profile& profile, const RegretTask& task) {
    return Asking(trainer, profile, task).run();
}

}  // namespace echelon
