// SPDX-License-Identifier: Apache-2.0
#include "measure/train.hpp"

#include "core/words.hpp"
#include "estimators/fit/learn_corrections.hpp"
#include "estimators/profile/not_reached.hpp"
#include "hier/phase.hpp"
#include "measure/thought_ahead.hpp"
#include "mpi/agree.hpp"
#include "mpi/broadcast_text.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

namespace echelon {
namespace {

/// Limits of the search.
struct Rules {
    /// Share of the time for the model's proposals before any measurement, and share of a size's time for the
    /// prices of neighbours.
    double thinking_share = 0.1;
    /// Share of the time for the search over all sizes. In the rest the fastest recipes are measured again:
    /// the fastest of many noisy times is a lucky one, and noise varies with time.
    double search_share = 0.85;
    /// Sufficient half width of a median's interval, as a share of the median, and bounds on the repetitions:
    /// noise may keep the interval wide.
    double precision = 0.02;
    int most_repetitions = 200, fewest_repetitions = 3;
    /// Recipes slower than the best by this factor after the first calls are not measured further.
    double hopeless = 1.5;
    /// A recipe slower than the best by this factor in a call alone is not measured in a row of calls.
    double behind_alone = 2;
    /// Share of a measurement's time for rows of calls.
    double rows_share = 0.3;

    /// Typical number of calls to measure a recipe, and number of recipes measured even without time: native
    /// and a candidate.
    double calls_each = 8, fewest_recipes = 2;

    /// Number of recipes that the corrected model proposes at a time after the shortlist.
    std::size_t proposals = 3;
    /// Most rounds of proposals, and of neighbours. The latter go on while the best time falls below this
    /// share of the previous one: smaller gains are noise.
    int most_rounds = 2;
    double worth_another_round = 0.99;
};
constexpr Rules rules;

std::vector<Recipe> recipes_of(const std::vector<Proposed>& list) {
    std::vector<Recipe> recipes;
    for (const Proposed& one : list) recipes.push_back(one.recipe);
    return recipes;
}

/// Searches the fastest recipe of each size. Rank 0 holds the profile and chooses the recipes; all ranks
/// measure them.
class Search {
public:
    Search(Trainer& trainer, Profile& profile, const Training& training)
        : trainer_(trainer),
          profile_(profile),
          training_(training),
          placement_(trainer.tuner().own().placement(true, true)),
          layout_(layout_in(profile_, placement_)),
          cells_(planned_cells(training_.collectives, training_.sizes, placement_.size())) {
        if (profile_.parameters) model_.emplace(profile_.parameters->machine, placement_);
        // At this point all ranks have the same samples.
        if (training_.go_on)
            for (const Sample& one : profile_.samples)
                if (one.p == placement_.size() && one.layout == layout_)
                    std::erase_if(cells_, [&](const PlannedCell& cell) {
                        return cell.collective == one.collective && cell.bytes == one.bytes;
                    });
    }

    void run() {
        const double start = now();
        const auto end_after = [&](double share) {
            end_ = training_.seconds > 0 ? start + share * training_.seconds : 0;
        };
        end_after(rules.thinking_share);
        think_ahead();
        end_after(rules.search_share);
        each_cell([this] { search(); }, training_.brief ? Least::none : Least::one);
        if (training_.brief) return;
        end_after(1);
        each_cell([this] { measure_again(); }, Least::none);
    }

private:
    bool leads() const { return trainer_.tuner().rank() == 0; }
    MPI_Comm comm() const { return trainer_.tuner().user(); }

    /// `one`: one collective at one size is measured even without time, else nothing would be known.
    enum class Least { none, one };
    template <class Work>
    void each_cell(Work&& work, Least least) {
        left_ = cells_.size();
        for (const PlannedCell& cell : cells_) {
            const bool always = least == Least::one && left_ == cells_.size();
            if (!always && !in_time()) return;
            begin(cell);
            work();
            --left_;
        }
    }

    /// Precomputes the first proposals of sizes that are not between others.
    void think_ahead() {
        std::vector<PlannedCell> first = cells_;
        if (!training_.brief) std::erase_if(first, [](const PlannedCell& cell) { return cell.between; });
        ahead_.find(
            first,
            [&](const PlannedCell& cell) {
                proposals_.begin(cell.collective, cell.bytes);
                return training_.brief ? proposals_.promising(training_.shortlist, 0)
                                       : proposals_.shortlist(training_.shortlist);
            },
            end_, comm());
    }

    bool in_time() const { return end_ == 0 || as_rank_0_says(now() < end_, comm()); }

    void begin(const PlannedCell& cell) {
        cell_ = cell;
        proposals_.begin(cell.collective, cell.bytes);
        measured_ = 0;
        best_ = 0;
        native_ = 0;
        resolved_.clear();
        share_ =
            end_ == 0 ? 0 : now() + std::max(0.0, end_ - now()) / double(std::max<std::size_t>(left_, 1));
    }

    /// First proposals of the cell, precomputed or not; on rank 0.
    std::vector<Recipe> first_proposals() {
        const std::vector<Proposed>* const ahead = ahead_.of(cell_);
        if (ahead != nullptr && model_)
            for (const Proposed& one : *ahead)
                if (one.replayed > 0)
                    model_->remember(one.recipe, cell_.collective, cell_.bytes, one.replayed);
        // Sizes between others need fewer: their neighbours are measured already.
        return recipes_of(ahead != nullptr  ? *ahead
                          : training_.brief ? proposals_.promising(training_.shortlist, 0)
                          : cell_.between   ? proposals_.promising(training_.shortlist / 2, 0)
                                            : proposals_.shortlist(training_.shortlist));
    }

    void search() {
        if (share_ > 0) native_ = trainer_.one_call(cell_.collective, cell_.bytes);
        measure([&] {
            std::vector<Recipe> list = first_proposals();
            list.insert(list.begin(), Recipe());
            const auto add = [&](const std::vector<Recipe>& more) {
                list.insert(list.end(), more.begin(), more.end());
            };
            add(proposals_.seeds());
            if (!training_.brief) add(proposals_.fastest_beside());
            return list;
        });
        if (training_.brief) return tell();
        measure_promising();
        // The model can be wrong: neighbours of the best recipe are measured, too.
        for (int round = 0; round < rules.most_rounds; ++round) {
            const Seconds before = best_;
            const double deadline =
                share_ == 0 ? 0 : now() + rules.thinking_share * std::max(0.0, share_ - now());
            if (!measure([&] { return proposals_.around_the_best(cell_.between, deadline); })) break;
            measure_promising();
            if (!as_rank_0_says(round == 0 || best_ < rules.worth_another_round * before, comm())) break;
        }
        tell();
    }

    void tell() const {
        if (leads() && !training_.brief)
            note_not_reached(profile_, {training_.collectives, training_.sizes, placement_.size(), layout_});
        if (training_.done) training_.done(cell_.collective, cell_.bytes, placement_.size(), measured_);
    }

    /// Measures proposals until the best recipe by model and measurement together was measured.
    void measure_promising() {
        for (int round = 0; round < rules.most_rounds; ++round)
            if (!measure([&] { return recipes_of(proposals_.promising(rules.proposals, best_)); })) break;
    }

    /// Measures the fastest recipes of neighbouring sizes; then, if times are noisy, the fastest few and
    /// native again: both times count.
    void measure_again() {
        measure([&] { return proposals_.fastest_beside(); });
        std::string text;
        if (leads())
            for (const Recipe& recipe : proposals_.fastest([&](Seconds call) { return affordable(call); }))
                text += to_string(recipe) + '\n';
        const std::vector<Recipe> recipes = told(text);
        if (recipes.empty()) return;
        keep(trainer_.measure(cell_.collective, cell_.bytes, recipes, effort()), Known::counts);
    }

    /// Effort for the current size. `hopeless`: 0 is never.
    Effort effort(double hopeless = 0) const {
        return {.fewest = rules.fewest_repetitions,
                .rounds = rules.most_repetitions,
                .deadline = share_,
                .precision = rules.precision,
                .hopeless = hopeless};
    }

    /// Number of recipes for which there is time, by the time of a call. On oversubscribed nodes a common
    /// start takes longer than any call.
    double affordable(Seconds call) const {
        const Seconds each = std::max(rules.calls_each * call, least_each_);
        return share_ == 0 || each <= 0 ? unlimited : (share_ - now()) / each;
    }

    /// Measures the recipes that rank 0 proposes. Returns false if there was none, or no time.
    template <class Propose>
    bool measure(Propose&& propose) {
        std::string text;
        if (leads() && (best_ == 0 || share_ == 0 || now() < share_)) {
            double left = std::max(rules.fewest_recipes, affordable(native_));
            for (const Recipe& recipe : propose())
                if (left >= 1 && is_new(recipe)) {
                    text += to_string(recipe) + '\n';
                    --left;
                }
        }
        const std::vector<Recipe> recipes = told(text);
        if (recipes.empty()) return false;
        const double began = now();
        Effort alone = effort(rules.hopeless);
        if (measures_rows() && share_ > 0) alone.deadline -= rules.rows_share * std::max(0.0, share_ - began);
        auto found = trainer_.measure(cell_.collective, cell_.bytes, recipes, alone);
        measure_rows(found);
        keep(found);
        const Seconds each = (now() - began) / double(recipes.size());
        least_each_ = least_each_ == 0 ? each : std::min(least_each_, each);
        measured_ += recipes.size();
        return true;
    }

    bool measures_rows() const { return training_.rows && pattern(cell_.collective) != Pattern::to_all; }

    /// Adds the times of rows of calls, while there is time, for recipes that may be the best in a program.
    void measure_rows(std::vector<Trainer::Measured>& all) {
        if (!measures_rows()) return;
        Seconds least = unlimited;
        for (const Trainer::Measured& one : all)
            if (one.timing) least = std::min(least, one.timing->seconds.median);
        for (Trainer::Measured& one : all) {
            if (!one.timing || (one.recipe.kind != Recipe::Kind::native &&
                                one.timing->seconds.median > rules.behind_alone * least))
                continue;
            // Without native's no other counts.
            if (share_ > 0 && one.recipe.kind != Recipe::Kind::native &&
                !as_rank_0_says(now() < share_, comm()))
                return;
            one.in_a_row = trainer_.in_a_row(cell_.collective, cell_.bytes, one.recipe);
        }
    }

    /// Broadcasts rank 0's recipes, one per line.
    std::vector<Recipe> told(const std::string& text) const {
        std::vector<Recipe> recipes;
        for (const std::string& line : split(broadcast(text, comm()), '\n'))
            recipes.push_back(Recipe::parse(line));
        return recipes;
    }

    /// True for the first of several expressions that resolve to the same recipe.
    bool is_new(const Recipe& recipe) {
        return resolved_
            .insert(to_string(resolve(recipe, cell_.collective, placement_, 0, Trainer::operation())))
            .second;
    }

    /// Treatment of an earlier time of the recipe at this size.
    enum class Known { is_replaced, counts };

    void keep(const std::vector<Trainer::Measured>& all, Known before = Known::is_replaced) {
        if (!leads()) {
            best_ = 1;  // only rank 0 uses the value
            return;
        }
        for (const Trainer::Measured& one : all) {
            if (!one.timing || !(one.timing->seconds.median > 0)) continue;
            const Sample sample{cell_.collective,     placement_.size(), layout_,
                                cell_.bytes,          one.recipe,        one.timing->seconds.median,
                                one.timing->spread(), one.in_a_row};
            best_ = best_ == 0 ? sample.seconds : std::min(best_, sample.seconds);
            const auto known =
                std::find_if(profile_.samples.begin(), profile_.samples.end(), [&](const Sample& known_one) {
                    return proposals_.is_here(known_one) && known_one.recipe == sample.recipe;
                });
            if (known == profile_.samples.end())
                profile_.samples.push_back(sample);
            else
                *known = before == Known::counts ? of_both(*known, sample) : sample;
        }
        if (model_) learn_corrections(profile_, *model_);
    }

    /// Mean weighted by precision; its spread covers the distance of both times.
    static Sample of_both(const Sample& first, const Sample& second) {
        const auto weight = [](const Sample& one) {
            constexpr double least = 1e-3;
            return 1 / std::pow(std::max(one.spread, least), 2);
        };
        const double one = weight(first), other = weight(second), all = one + other;
        Sample both = second;
        if (both.in_a_row == 0) both.in_a_row = first.in_a_row;
        both.seconds = (one * first.seconds + other * second.seconds) / all;
        const double scatter = (one * std::pow(first.seconds - both.seconds, 2) +
                                other * std::pow(second.seconds - both.seconds, 2)) /
                               all;
        both.spread = std::max(1 / std::sqrt(all), std::sqrt(scatter) / both.seconds);
        return both;
    }

    Trainer& trainer_;
    Profile& profile_;
    const Training& training_;
    const Placement placement_;
    const std::string layout_;
    std::vector<PlannedCell> cells_;  // to be measured; the same on all ranks
    Proposals proposals_{profile_, placement_, layout_};
    std::optional<SampleTimes> model_;  // of the profile's machine
    double end_ = 0;                    // deadline of the current stage; 0: none
    std::size_t left_ = 0;

    ThoughtAhead ahead_;

    // State of the current cell.
    PlannedCell cell_{};
    std::size_t measured_ = 0;
    Seconds best_ = 0;
    double share_ = 0;
    Seconds native_ = 0;              // one call; 0: unknown
    Seconds least_each_ = 0;          // least time to measure a recipe
    std::set<std::string> resolved_;  // measured recipes, on rank 0
};

}  // namespace

void train(Trainer& trainer, Profile& profile, const Training& training) {
    std::erase_if(profile.foreseen, [&](const Foreseen& one) {
        return std::ranges::find(training.collectives, one.collective) != training.collectives.end();
    });
    Search(trainer, profile, training).run();
    profile = Profile::parse(broadcast(to_json(profile), trainer.tuner().user()));
}

}  // namespace echelon
