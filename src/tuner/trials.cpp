// SPDX-License-Identifier: Apache-2.0
#include "tuner/trials.hpp"

#include "core/units.hpp"
#include "estimators/choice/decide.hpp"
#include "mpi/clock.hpp"

#include <algorithm>
#include <utility>

namespace echelon {
namespace {

Tournament::Measure measure_of(Collective collective, bool clock_shared) {
    using Measure = Tournament::Measure;
    const Pattern who_waits = pattern(collective);
    if (clock_shared) return who_waits == Pattern::from_root ? Measure::behind_root : Measure::last_delay;
    return who_waits == Pattern::to_all ? Measure::shortest_stay : Measure::longest_stay;
}

std::vector<double> cut(const std::vector<double>& all, std::size_t& place, std::size_t count) {
    const auto begin = all.begin() + std::ptrdiff_t(place);
    place += count;
    return {begin, begin + std::ptrdiff_t(count)};
}

void append(std::vector<double>& all, const std::vector<double>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

LearnedDecision learned(const CallClass& calls, const Outcome& finding, int p, const std::string& layout) {
    Bytes end = calls.size;  // the last size of the class
    while (Decider::size_class(end + 1) == calls.size) ++end;
    return {.collective = calls.collective,
            .p = p,
            .layout = layout,
            .sizes = {calls.size, end},
            .recipe = finding.recipe,
            .seconds = finding.seconds,
            .native_seconds = finding.native};
}

Trial& Trials::begin(const CallClass& calls, std::vector<Tournament::Arm> arms, Tournament::Terms terms) {
    terms.measure = measure_of(calls.collective, clock_shared_);
    return trials_.try_emplace(calls, Trial{.tournament = Tournament(std::move(arms), terms)}).first->second;
}

int Trials::percent(const PlanKey& key) const {
    const auto budgets = budgets_.find(key.collective);
    if (budgets == budgets_.end()) return usual_percent_;
    const int* const percent = budgets->second.find(key.count * key.element_size);
    return percent == nullptr ? usual_percent_ : *percent;
}

bool Trials::trying() const {
    return std::any_of(trials_.begin(), trials_.end(),
                       [](const auto& one) { return !one.second.tournament.concluded(); });
}

std::vector<CallClass> Trials::exchange(const std::function<void(std::vector<double>&)>& least) {
    const Seconds began = now();
    if (!clock_known_) {
        std::vector<double> ids{clock_id(), -clock_id()};
        least(ids);
        clock_known_ = true;
        clock_shared_ = ids[0] == -ids[1];
    }
    freeze_all(true);
    std::vector<double> roots = own_roots();
    if (!roots.empty()) least(roots);
    std::vector<double> numbers = own_numbers(roots);
    least(numbers);
    std::vector<CallClass> found = take_in(numbers, Tournament::Way::at_once);
    own_at_once_ = now() - began;
    return found;
}

void Trials::freeze_all(bool roots) {
    for (const CallClass& calls : due_) {
        Trial& trial = trials_.at(calls);
        trial.freeze();
        const bool one_clock = clock_shared_ && (roots || pattern(calls.collective) != Pattern::from_root);
        trial.tournament.measure_by(measure_of(calls.collective, one_clock));
    }
    frozen_ = due_.size();
    awaits_roots_ = false;
}

std::vector<double> Trials::freeze() {
    freeze_all(false);
    return own_numbers({});
}

std::vector<double> Trials::freeze_with_roots() {
    own_in_rounds_ = std::exchange(busy_, 0);
    freeze_all(true);
    std::vector<double> roots = own_roots();
    awaits_roots_ = !roots.empty();
    return awaits_roots_ ? roots : own_numbers({});
}

std::vector<double> Trials::go_on(const std::vector<double>& roots) {
    awaits_roots_ = false;
    return own_numbers(roots);
}

std::vector<double> Trials::own_roots() const {
    std::vector<double> roots;
    for (std::size_t i = 0; i < frozen_; ++i) append(roots, trials_.at(due_[i]).tournament.own_roots());
    return roots;
}

std::vector<double> Trials::own_numbers(const std::vector<double>& roots) const {
    std::vector<double> numbers{own_at_once_, own_in_rounds_};
    std::size_t place = 0;
    for (std::size_t i = 0; i < frozen_; ++i) {
        const Tournament& one = trials_.at(due_[i]).tournament;
        append(numbers, one.own_numbers(cut(roots, place, one.own_roots().size())));
    }
    return numbers;
}

bool Trials::afford_to_stop() {
    bool gain = false, afford = true;
    for (const CallClass& calls : due_) {
        Trial& trial = trials_.at(calls);
        trial.end_idle();
        gain = gain || trial.tournament.is_urgent();
        afford = afford && trial.tournament.affords_at_once();
    }
    return gain && afford;
}

std::vector<CallClass> Trials::take_in(const std::vector<double>& least, Tournament::Way way) {
    // The shortest time counts: a disturbance of one exchange says nothing about the next one.
    const auto keep_least = [](Seconds& kept, Seconds last) {
        if (last > 0) kept = kept > 0 ? std::min(kept, last) : last;
    };
    keep_least(at_once_, least[0]);
    keep_least(in_rounds_, least[1]);
    std::size_t place = 2;
    const std::vector<CallClass> waited(due_.begin(), due_.begin() + std::ptrdiff_t(frozen_));
    due_.erase(due_.begin(), due_.begin() + std::ptrdiff_t(frozen_));
    frozen_ = 0;
    std::vector<CallClass> found;
    for (const CallClass& calls : waited) {
        Trial& trial = trials_.at(calls);
        Tournament& one = trial.tournament;
        trial.end_idle();
        trial.due = trial.frozen = false;
        one.exchanges_take(at_once_, in_rounds_);
        const Tournament::Verdict verdict = one.evaluate(cut(least, place, one.own_numbers({}).size()), way);
        if (verdict != Tournament::Verdict::replaced && verdict != Tournament::Verdict::confirmed) continue;
        take(calls, verdict);
        found.push_back(calls);
        // A native winner is not watched, which would cost time in every call.
        if (one.concluded() && findings_.at(calls).recipe.kind == Recipe::Kind::native) trials_.erase(calls);
    }
    return found;
}

void Trials::take(const CallClass& calls, Tournament::Verdict verdict) {
    const Tournament& one = trials_.at(calls).tournament;
    const Recipe& recipe = one.arms()[one.incumbent()].recipe;
    Outcome& finding = findings_[calls];
    finding.recipe = recipe;
    finding.seconds = one.seconds();
    finding.native = recipe.kind == Recipe::Kind::native ? one.seconds() : 0;
    for (std::size_t i = 0; i < one.arms().size(); ++i)
        if (one.arms()[i].recipe.kind == Recipe::Kind::native && one.ratio(i) && i != one.incumbent())
            finding.native = *one.ratio(i) * one.seconds();
    if (verdict == Tournament::Verdict::replaced)
        finding.loser = to_string(one.arms()[one.former()].recipe) + " took " +
                        readable(*one.ratio(one.former()) * one.seconds()) + ", this " +
                        readable(one.seconds());
}

}  // namespace echelon
