// SPDX-License-Identifier: Apache-2.0
// The evaluation of an exchange: the cost of challengers, and the arm that stays.
#include "tuner/tournament.hpp"

#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace echelon {

void Tournament::charge(const std::vector<double>& expected) {
    Common& c = common_;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        Standing& one = c.standings[i];
        const auto waiting = double(std::exchange(one.waiting, 0));
        if (waiting == 0 || !one.seen) continue;
        const bool glance = is_glance(i), forgotten = glance && one.ratio >= rules.promising;
        const double ratio = forgotten ? std::min(one.ratio, rules.by_far) : one.ratio;
        c.balance -= waiting * double(visit(i)) * (ratio - 1);
        one.glanced = true;
        if (!glance) continue;
        one.pairs.clear();
        one.longest.clear();
        one.goal = rules.pairs[forgotten ? 0 : 1];
        if (!forgotten) continue;
        one.ratio = expected[i];
        one.seen = arms_[i].seen;
    }
}

void Tournament::take_in(const std::vector<double>& least) {
    Common& c = common_;
    std::vector<double> expected;
    for (const Standing& one : c.standings) expected.push_back(one.ratio);
    std::vector<Seconds> incumbents;
    const auto exchanged = own_.take(terms_.measure, least);
    for (std::size_t i = 0; i < c.tried.size(); ++i) {
        const Tried& tried = c.tried[i];
        Standing& one = c.standings[tried.arm];
        c.balance += tried.charged;
        if (!exchanged[i]) continue;
        const auto& [pair, longest] = *exchanged[i];
        incumbents.push_back(pair.theirs);
        if (!tried.judged) {
            c.balance -= pair.ours / pair.theirs - 1;
            continue;
        }
        one.pairs.push_back(pair);
        if (terms_.measure == Measure::shortest_stay) one.longest.push_back(longest);
        one.ratio = std::max(middle_ratio(one.pairs), one.longest.empty() ? 0 : middle_ratio(one.longest));
        one.seen = true;
    }
    charge(expected);
    if (!incumbents.empty()) c.seconds = median(std::move(incumbents));
    c.tried.clear();
    c.blind = 0;
    if (!c.model_seen) correct_model();
}

/// Models err most about native, and alike about all other recipes: the first measured arms correct the
/// expected times of the others.
void Tournament::correct_model() {
    Common& c = common_;
    std::vector<double> errors;
    for (std::size_t i = 0; i < arms_.size(); ++i)
        if (c.standings[i].seen && i != c.incumbent && arms_[i].expected > 0 &&
            arms_[c.incumbent].expected > 0)
            errors.push_back(c.standings[i].ratio * arms_[c.incumbent].expected / arms_[i].expected);
    if (errors.empty()) return;
    c.model_seen = true;
    // The first arm may be an exception.
    const double error = median(std::move(errors)), natives_part = std::sqrt(error * std::sqrt(error));
    for (std::size_t i = 0; i < arms_.size(); ++i)
        if (!c.standings[i].seen && i != c.incumbent) c.standings[i].ratio *= natives_part;
}

bool Tournament::leads(std::size_t arm) const {
    const Standing& one = common_.standings[arm];
    const double factor = is_native(arm) ? 1 : 1 - rules.lead;
    if (!below(one.pairs, factor, arms_[arm].known ? Proof::little : Proof::much) &&
        !(trusts_times() && below(one.pairs, 1 / rules.clearly, Proof::little)))
        return false;
    return one.longest.empty() || below(one.longest, 1, Proof::little);
}

void Tournament::promote(std::size_t winner) {
    Common& c = common_;
    const double gain = c.standings[winner].ratio;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        Standing& one = c.standings[i];
        if (one.seen || i == c.incumbent)
            one.ratio /= gain;
        else if (arms_[i].expected > 0 &&
                 arms_[winner].expected > 0)  // models know recipes better than native
            one.ratio = arms_[i].expected / arms_[winner].expected;
        one.pairs.clear();
        one.longest.clear();
        one.goal = one.seen ? rules.pairs[1] : rules.pairs[0];
        if (one.seen && one.ratio > rules.by_far && !(is_native(i) && !one.started)) one.out = true;
    }
    Standing& former = c.standings[c.incumbent];
    former.out = former.seen = former.glanced = true;
    c.former = std::exchange(c.incumbent, winner);
    c.seconds *= gain;
    c.balance /= gain;
    c.incumbents_call.fill(never);
    c.latest_incumbent = never;
}

void Tournament::halve() {
    Common& c = common_;
    std::vector<Standing*> tried;
    for (Standing& one : c.standings)
        if (!one.out && !one.pairs.empty()) tried.push_back(&one);
    std::stable_sort(tried.begin(), tried.end(),
                     [](const Standing* a, const Standing* b) { return a->ratio < b->ratio; });
    for (std::size_t i = (tried.size() + 1) / 2; i < tried.size(); ++i)
        if (tried[i]->ratio > rules.near * tried[0]->ratio) tried[i]->out = true;
    for (Standing* const one : tried)
        one->goal = *std::find_if(rules.pairs.begin(), rules.pairs.end() - 1,
                                  [&](std::size_t pairs) { return pairs > one->pairs.size(); });
}

Tournament::Verdict Tournament::judge() {
    Common& c = common_;
    std::size_t winner = c.incumbent;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        Standing& one = c.standings[i];
        if (one.out || one.pairs.empty()) continue;
        if (leads(i)) {
            if (winner == c.incumbent || one.ratio < c.standings[winner].ratio) winner = i;
        } else if (one.ratio > rules.by_far || one.pairs.size() >= rules.pairs.back() ||
                   above(one.pairs, 1 - rules.lead, Proof::much)) {
            one.out = true;
        }
    }
    const Verdict verdict = winner != c.incumbent ? Verdict::replaced : Verdict::none;
    if (winner != c.incumbent)
        promote(winner);
    else
        halve();
    for (std::size_t i = 0; i < arms_.size(); ++i)
        if (i != c.incumbent && !c.standings[i].out) return verdict;
    c.concluded = true;
    c.opponent = find_opponent();
    c.watched_ratio = c.standings[c.opponent].ratio;
    c.balance = std::min(c.balance, 0.0);
    for (Standing& one : c.standings) {
        one.pairs.clear();
        one.longest.clear();
    }
    return verdict == Verdict::replaced ? verdict : Verdict::confirmed;
}

Tournament::Verdict Tournament::watch() {
    Common& c = common_;
    const double ratio = c.standings[c.opponent].ratio;
    const bool drifted = ratio > rules.drift * c.watched_ratio || ratio * rules.drift < c.watched_ratio;
    const bool reopens = drifted || leads(c.opponent);
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        Standing& one = c.standings[i];
        one.pairs.clear();
        one.longest.clear();
        if (!reopens || i == c.incumbent || one.unable) continue;
        one.out = false;
        one.goal = rules.pairs[1];
    }
    c.concluded = !reopens;
    return reopens ? Verdict::reopened : Verdict::none;
}

Tournament::Verdict Tournament::evaluate(const std::vector<double>& least, Way way) {
    Common& c = common_;
    end_visit();
    c.exchanged_at = c.calls;
    take_in(least);
    c.balance -= exchange_cost(way);  // in calls, whose time was just measured
    return c.concluded ? watch() : judge();
}

std::size_t Tournament::find_opponent() const {
    const Common& c = common_;
    std::size_t best = c.incumbent;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        const Standing& one = c.standings[i];
        if (i == c.incumbent || one.unable) continue;
        if (is_native(i)) return i;
        if (one.seen && (best == c.incumbent || one.ratio < c.standings[best].ratio)) best = i;
    }
    return best;
}

}  // namespace echelon
