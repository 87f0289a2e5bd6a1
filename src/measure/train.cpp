// SPDX-License-Identifier: Apache-2.0
#include "measure/train.hpp"

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
#include <sstream>

namespace echelon {
namespace {

/// How far a search goes, and what it takes for enough.
struct Rules {
    /// Of the time, for what the model proposes before anything is measured; and of a size's for the prices of neighbours.
    double thinking_share = 0.1;
    /// Of the time, for the search over all sizes. In the rest the fastest are measured again: the fastest of many noisy
    /// times is a lucky one, and noise comes and goes.
    double search_share = 0.85;
    /// Half the interval of a median, as a share of it, that is narrow enough; and so many rounds at most, where noise
    /// keeps it wide.
    double precision = 0.02;
    int most_repetitions = 200, fewest_repetitions = 3;
    /// Who takes so many times the best after the first calls is not measured further.
    double hopeless = 1.5;

    /// What there is time for: a recipe takes about so many calls, and so few are measured even where there is none: native, and
    /// what may be better.
    double calls_each = 8, fewest_recipes = 2;

    /// After the shortlist the model, corrected by what was measured, proposes so many at a time.
    std::size_t proposals = 3;
    /// Proposals, and looks at neighbours, go on for so many rounds at most, the latter while the best takes less than this
    /// share of what it took before: less is noise.
    int most_rounds = 2;
    double worth_another_round = 0.99;
};
constexpr Rules rules;

std::vector<Recipe> recipes_of(const std::vector<Proposed>& list) {
    std::vector<Recipe> recipes;
    for (const Proposed& one : list) recipes.push_back(one.recipe);
    return recipes;
}

/// The search for the fastest recipe of each size. Rank 0 holds the profile and says what is measured; the others measure.
class Search {
public:
    Search(Trainer& trainer, Profile& profile, const Training& training)
        : trainer_(trainer),
          profile_(profile),
          training_(training),
          placement_(trainer.state().own().placement(true, true)),
          layout_(layout_in(profile_, placement_)),
          cells_(planned_cells(training_.collectives, training_.sizes, placement_.size())) {
        if (profile_.parameters) model_.emplace(profile_.parameters->machine, placement_);
        // Before rank 0 learns more than the others.
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
    bool leads() const { return trainer_.state().rank() == 0; }
    MPI_Comm comm() const { return trainer_.state().user(); }

    /// Whatever the time, `one` collective at one size is measured: without any nothing would be known.
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

    /// What is measured first at sizes that are not between others.
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

    /// Of those, and of sizes that nobody came to; on rank 0.
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
            if (!training_.brief)
                for (const auto& more : {proposals_.seeds(), proposals_.fastest_beside()})
                    list.insert(list.end(), more.begin(), more.end());
            return list;
        });
        if (training_.brief) return tell();
        measure_promising();
        // The model can be blind: a look around the best that was measured.
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

    /// Until what model and measurement together think best was measured.
    void measure_promising() {
        for (int round = 0; round < rules.most_rounds; ++round)
            if (!measure([&] { return recipes_of(proposals_.promising(rules.proposals, best_)); })) break;
    }

    /// What is fastest beside this size by now; and the fastest few and the native collective again, where times are noisy: both times count.
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

    /// Of the size at hand. `hopeless`: 0 is never.
    Effort effort(double hopeless = 0) const {
        return {.fewest = rules.fewest_repetitions,
                .rounds = rules.most_repetitions,
                .deadline = share_,
                .precision = rules.precision,
                .hopeless = hopeless};
    }

    /// How many recipes whose calls take so long there is time for. Where ranks share processors to begin together takes
    /// longer than any call.
    double affordable(Seconds call) const {
        const Seconds each = std::max(rules.calls_each * call, least_each_);
        return share_ == 0 || each <= 0 ? unlimited : (share_ - now()) / each;
    }

    /// Measures what rank 0 proposes. False: nothing was left, or no time.
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
        keep(trainer_.measure(cell_.collective, cell_.bytes, recipes, effort(rules.hopeless)));
        const Seconds each = (now() - began) / double(recipes.size());
        least_each_ = least_each_ == 0 ? each : std::min(least_each_, each);
        measured_ += recipes.size();
        return true;
    }

    /// A recipe a line, as rank 0 has it.
    std::vector<Recipe> told(const std::string& text) const {
        std::istringstream lines(broadcast(text, comm()));
        std::vector<Recipe> recipes;
        for (std::string line; std::getline(lines, line);) recipes.push_back(Recipe::parse(line));
        return recipes;
    }

    /// Several expressions may resolve to the same: that is measured once.
    bool is_new(const Recipe& recipe) {
        return resolved_
            .insert(to_string(resolve(recipe, cell_.collective, placement_, 0, Trainer::operation())))
            .second;
    }

    /// What becomes of the time of a recipe that was measured before at this size.
    enum class Known { is_replaced, counts };

    void keep(const std::vector<Trainer::Measured>& all, Known before = Known::is_replaced) {
        if (!leads()) {
            best_ = 1;  // only rank 0 asks
            return;
        }
        for (const Trainer::Measured& one : all) {
            if (!one.timing || !(one.timing->seconds.median > 0)) continue;
            const Sample sample{cell_.collective,    placement_.size(), layout_,
                                cell_.bytes,         one.recipe,        one.timing->seconds.median,
                                one.timing->spread()};
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

    /// What is known better counts more; their mean's spread is at least how far either is from it.
    static Sample of_both(const Sample& first, const Sample& second) {
        const auto weight = [](const Sample& one) {
            constexpr double least = 1e-3;
            return 1 / std::pow(std::max(one.spread, least), 2);
        };
        const double one = weight(first), other = weight(second), all = one + other;
        Sample both = second;
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
    std::vector<PlannedCell> cells_;  // that are to be measured, the same on all ranks
    Proposals proposals_{profile_, placement_, layout_};
    std::optional<SampleTimes> model_;  // of the profile's machine
    double end_ = 0;                    // of what is under way; 0: as long as it takes
    std::size_t left_ = 0;

    ThoughtAhead ahead_;

    // Of the cell at hand.
    PlannedCell cell_{};
    std::size_t measured_ = 0;
    Seconds best_ = 0;
    double share_ = 0;
    Seconds native_ = 0;              // one call; 0: not known
    Seconds least_each_ = 0;          // to measure a recipe, so far
    std::set<std::string> resolved_;  // what was measured, on rank 0
};

}  // namespace

void train(Trainer& trainer, Profile& profile, const Training& training) {
    std::erase_if(profile.foreseen, [&](const Foreseen& one) {
        return std::ranges::find(training.collectives, one.collective) != training.collectives.end();
    });
    Search(trainer, profile, training).run();
    profile = Profile::parse(broadcast(to_json(profile), trainer.state().user()));
}

}  // namespace echelon
