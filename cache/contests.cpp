// SPDX-License-Identifier: Apache-2.0
#include "cache/contests.hpp"

#include "core/units.hpp"
#include "estimators/choice/decide.hpp"
#include "mpi/clock.hpp"

#include <algorithm>

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

CallClass CallClass::of(const PlanKey& key) {
    return {key.collective, key.in_order, key.exact, Decider::size_class(key.count * key.element_size)};
}

LearnedDecision learned(const CallClass& calls, const Outcome& finding, int p, const std::string& layout) {
    Bytes end = calls.size;  // of the class
    while (Decider::size_class(end + 1) == calls.size) ++end;
    return {.collective = calls.collective,
            .p = p,
            .layout = layout,
            .sizes = {calls.size, end},
            .recipe = finding.recipe,
            .seconds = finding.seconds,
            .native_seconds = finding.native};
}

Contest& Contests::begin(const CallClass& calls, std::vector<Tournament::Arm> arms, Tournament::Terms terms) {
    terms.measure = measure_of(calls.collective, clock_shared_);
    if (began_ == 0) began_ = now();
    return contests_.try_emplace(calls, Contest{.tournament = Tournament(std::move(arms), terms)})
        .first->second;
}

int Contests::percent(const PlanKey& key) const {
    const auto budgets = budgets_.find(key.collective);
    if (budgets == budgets_.end()) return usual_percent_;
    const int* const percent = budgets->second.find(key.count * key.element_size);
    return percent == nullptr ? usual_percent_ : *percent;
}

bool Contests::trying() const {
    return std::any_of(contests_.begin(), contests_.end(),
                       [](const auto& one) { return !one.second.tournament.concluded(); });
}

std::vector<CallClass> Contests::settle(const std::function<void(std::vector<double>&)>& least) {
    const Seconds began = now();
    if (!clock_known_) {
        std::vector<double> ids{clock_id(), -clock_id()};
        least(ids);
        clock_known_ = true;
        clock_shared_ = ids[0] == -ids[1];
    }
    std::vector<double> roots, numbers{own_settlement_, began - began_};
    for (const CallClass& calls : due_) {
        Contest& contest = contests_.at(calls);
        contest.look();
        Tournament& one = contest.tournament;
        one.measure_by(measure_of(calls.collective, clock_shared_));
        append(roots, one.own_roots());
    }
    if (!roots.empty()) least(roots);
    std::vector<std::size_t> counts;
    std::size_t place = 0;
    for (const CallClass& calls : due_) {
        const Tournament& one = contests_.at(calls).tournament;
        const auto own = one.own_numbers(cut(roots, place, one.own_roots().size()));
        append(numbers, own);
        counts.push_back(own.size());
    }
    least(numbers);
    // The least so far: what disturbed one says nothing of the next.
    if (const Seconds last = numbers.front(); last > 0)
        settlement_ = settlement_ > 0 ? std::min(settlement_, last) : last;
    age_ = numbers[1];
    place = 2;
    std::vector<CallClass> found;
    for (std::size_t i = 0; i < due_.size(); ++i) {
        Contest& contest = contests_.at(due_[i]);
        if (settlement_ > 0) contest.tournament.settlements_take(settlement_);
        contest.waits = false;
        const Tournament::News news = contest.tournament.settle(cut(numbers, place, counts[i]));
        if (news != Tournament::News::replaced && news != Tournament::News::confirmed) continue;
        take(due_[i], news);
        found.push_back(due_[i]);
        // Who calls natively is not watched: that would cost every call something.
        if (contest.tournament.concluded() && findings_.at(due_[i]).recipe.kind == Recipe::Kind::native)
            contests_.erase(due_[i]);
    }
    due_.clear();
    own_settlement_ = now() - began;
    return found;
}

void Contests::take(const CallClass& calls, Tournament::News news) {
    const Tournament& one = contests_.at(calls).tournament;
    const Recipe& recipe = one.arms()[one.incumbent()].recipe;
    Outcome& finding = findings_[calls];
    finding.recipe = recipe;
    finding.seconds = one.seconds();
    finding.native = recipe.kind == Recipe::Kind::native ? one.seconds() : 0;
    for (std::size_t i = 0; i < one.arms().size(); ++i)
        if (one.arms()[i].recipe.kind == Recipe::Kind::native && one.ratio(i) && i != one.incumbent())
            finding.native = *one.ratio(i) * one.seconds();
    if (news == Tournament::News::replaced)
        finding.loser = to_string(one.arms()[one.former()].recipe) + " took " +
                        readable(*one.ratio(one.former()) * one.seconds()) + ", this " +
                        readable(one.seconds());
}

}  // namespace echelon
