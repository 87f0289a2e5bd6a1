// SPDX-License-Identifier: Apache-2.0
#include "tuner/trial.hpp"

#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace echelon {
namespace {

/// True if the pairs lie below (or above) the limit more often than chance would explain (sign test).
bool mostly(const std::vector<double>& pairs, bool below, double limit, double proof) {
    const auto n = std::ranges::count_if(pairs, [&](double r) { return below ? r < limit : r > limit; });
    const double all = double(pairs.size()), more = 2 * double(n) - all;
    return more > 0 && more * more >= proof * all;
}

/// True if the mean of the pairs is below 1 with less than 1 % doubt (Student's t test). A rhythm of the
/// program widens the spread of its blocks: a few pairs are not sure then.
bool surely_faster(const std::vector<double>& pairs) {
    const double n = double(pairs.size());
    if (n < 3) return false;
    double mean = 0, squares = 0;
    for (const double one : pairs) mean += one / n;
    for (const double one : pairs) squares += (one - mean) * (one - mean) / (n - 1);
    // Quantiles of 99 %: 6.96 for 3 pairs, 4.54 for 4, 3.75 for 5, 3.14 for 7.
    const double quantile = 2.33 + 14 / std::pow(n - 1, 1.6);
    return 1 - mean > quantile * std::sqrt(squares / n);
}

}  // namespace

Trial::Trial(std::vector<Arm> arms, const Terms& terms)
    : arms_(std::move(arms)), terms_(terms), standings_(arms_.size()) {
    // A call leaves the ranks apart, which lengthens stays in the next one: the call before a timed one is by
    // the same recipe.
    if (terms_.evidence == Evidence::own_clocks) terms_.warm = std::max(terms_.warm, 1L);
    terms_.first_share = std::min(terms_.first_share, terms_.share);
    const Seconds first = arms_.front().expected;
    for (std::size_t i = 0; i < arms_.size(); ++i)
        if (first > 0 && arms_[i].expected > 0) standings_[i].ratio = arms_[i].expected / first;
}

std::optional<double> Trial::ratio(std::size_t arm) const {
    return standings_[arm].seen ? std::optional(standings_[arm].ratio) : std::nullopt;
}

double Trial::in_calls(Seconds seconds) const {
    const Seconds call = seconds_ > 0 ? seconds_ : arms_[incumbent_].expected;
    return call > 0 ? seconds / call : 0;
}

double Trial::exchange_price() const {
    const double calls = in_calls(exchange_ > 0 ? exchange_ : terms_.exchange);
    return seconds_ > 0 ? calls : std::min(calls, rules.unseen_exchange);
}

bool Trial::wants(std::size_t arm) const {
    const Standing& one = standings_[arm];
    if (arm == incumbent_ || one.unable) return false;
    if (settled_) return arm == opponent();
    return !one.out && one.pairs.size() < one.goal;
}

long Trial::warm(std::size_t arm) const { return std::max(terms_.warm, is_started(arm) ? 0L : 1L); }

bool Trial::has_rhythm() const { return terms_.rhythm > 0 && terms_.rhythm <= rules.most_block; }

long Trial::in_rhythm(long calls) const {
    return (calls + terms_.rhythm - 1) / terms_.rhythm * terms_.rhythm;
}

/// Number of consecutive calls by one arm, of which warm() are not measured. Blocks show what they add to the
/// program: they end at a synchronising call, in which the ranks catch up. If its rhythm is unknown, they are
/// longer, the longer the arms were too close to judge.
long Trial::visit(std::size_t arm) const {
    const long warm = this->warm(arm);
    if (!blocks()) return warm + 1;
    long block = first_look(arm) ? rules.first_block : rules.block;
    if (has_rhythm()) return in_rhythm(warm + block);
    const std::size_t seen = standings_[arm].pairs.size();
    for (std::size_t pairs = rules.pairs[2]; pairs <= seen && block < rules.most_block; pairs = 2 * pairs + 1)
        block *= 2;
    return warm + block;
}

double Trial::calls_in_round(std::size_t arm) const {
    return double(visit(arm) * (blocks() && !first_look(arm) ? 2 : 1));
}

double Trial::price(std::size_t arm) const {
    const Standing& one = standings_[arm];
    const double calls = calls_in_round(arm);
    if (one.seen) return (one.ratio - 1) * calls;
    double more = std::max(0.0, one.ratio * (arms_[arm].seen ? 1 : terms_.doubt) - 1);
    // The program used native before, and only native calls reveal a wrong model of them. A model that was
    // compared with calls is not wrong by far.
    const bool compared = arms_[arm].seen || arms_[arm].known || terms_.calibrated;
    if (is_native(arm)) more = compared && one.ratio > rules.by_far ? std::min(more, rules.natives_price) : 0;
    return more * calls + (is_started(arm) ? 0 : in_calls(arms_[arm].setup));
}

void Trial::earn(long calls) {
    const double early = std::clamp(rules.first_calls - calls_, 0.0, double(calls));
    balance_ += part() * (early * terms_.first_share + (double(calls) - early) * terms_.share);
    calls_ += double(calls);
}

long Trial::calls_to_earn(double missing) const {
    if (missing <= 0) return 0;
    constexpr double most = 1e6;
    const double early = std::max(0.0, rules.first_calls - calls_), first = part() * terms_.first_share;
    if (early * first >= missing) return long(std::ceil(missing / first));
    return long(std::min(most, early + std::ceil((missing - early * first) / (part() * terms_.share))));
}

/// The cheapest arm to compare next; the incumbent if there is none.
std::size_t Trial::cheapest() const {
    std::size_t best = incumbent_;
    const auto cost = [&](std::size_t i) { return std::pair(price(i), standings_[i].ratio); };
    for (std::size_t i = 0; i < arms_.size(); ++i)
        if (wants(i) && (best == incumbent_ || cost(i) < cost(best))) best = i;
    return best;
}

Agenda Trial::next() {
    if (!agenda_.empty()) return agenda_;  // not evaluated yet
    agenda_ = {.incumbent = incumbent_, .serving = serving(), .settled = settled_};
    const std::size_t arm = settled_ && is_native(incumbent_) ? incumbent_ : cheapest();
    if (arm == incumbent_) return agenda_;
    const Standing& one = standings_[arm];
    agenda_.challenger = arm;
    agenda_.warm = warm(arm);
    std::size_t rounds = std::min(rules.most_pairs, settled_ ? rules.pairs[1] : one.goal - one.pairs.size());
    if (blocks()) {
        agenda_.mirrored = !first_look(arm);
        agenda_.block = visit(arm) - agenda_.warm;
        if (agenda_.mirrored) rounds = std::max<std::size_t>(1, rounds / 2);
    }
    // Several rounds of an arm that costs something are made as soon as one is paid: each lessens the doubt.
    const double cost = price(arm);
    agenda_.rounds = long(cost > 0 ? std::clamp<double>(balance_ / cost, 1, double(rounds)) : double(rounds));
    agenda_.wait = calls_to_earn(cost * double(agenda_.rounds) + exchange_price() - balance_);
    if (settled_) agenda_.wait = std::max(agenda_.wait, long(calls_));
    if (blocks() && has_rhythm()) agenda_.wait = in_rhythm(agenda_.wait);
    return agenda_;
}

/// Takes in the pairs of the last agenda, and charges the account for the challenger's calls.
void Trial::record(const std::vector<double>& reduced) {
    constexpr Seconds instant = 1e-12;
    Standing& one = standings_[agenda_.challenger];
    std::vector<Seconds> incumbents;
    const auto pair = [&](Seconds ours, Seconds theirs) {
        incumbents.push_back(theirs);
        one.pairs.push_back(std::max(ours, instant) / std::max(theirs, instant));
    };
    const auto call = [&](std::size_t at) {
        return std::max(instant, terms_.evidence == Evidence::one_clock ? reduced[at + 1] - reduced[at + 2]
                                                                        : reduced[at]);
    };
    std::size_t at = 0;
    for (long round = 0; round < agenda_.rounds; ++round)
        if (!blocks()) {
            pair(call(at + 3), call(at));
            at += 6;
        } else {
            pair(reduced[at + 1], reduced[at]);
            if (agenda_.mirrored) pair(reduced[at + 2], reduced[at + 3]);
            at += agenda_.mirrored ? 4 : 2;
        }
    if (!is_started(agenda_.challenger)) balance_ -= in_calls(arms_[agenda_.challenger].setup);
    one.ratio = median(one.pairs);
    // Blocks show less than an arm costs, and are charged like the next ones, which are longer.
    balance_ -= (one.ratio - 1) * calls_in_round(agenda_.challenger) * double(agenda_.rounds);
    one.seen = true;
    seconds_ = median(std::move(incumbents)) / (blocks() ? double(agenda_.block * terms_.ranks) : 1.0);
}

bool Trial::leads(std::size_t arm) const {
    const Standing& one = standings_[arm];
    const bool clearly =
        blocks() ? surely_faster(one.pairs)
                 : one.pairs.size() >= 3 && *std::ranges::max_element(one.pairs) < 1 / rules.clearly;
    const double limit = is_native(arm) || blocks() ? 1 : 1 - rules.lead;
    return clearly ||
           mostly(one.pairs, true, limit, arms_[arm].known ? rules.little_proof : rules.much_proof);
}

void Trial::promote(std::size_t winner) {
    const double gain = standings_[winner].ratio;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        Standing& one = standings_[i];
        one.ratio /= gain;
        one.pairs.clear();
        one.goal = rules.pairs[one.seen ? 1 : 0];
        if (one.seen && one.ratio > rules.by_far) one.out = true;
    }
    standings_[incumbent_].out = standings_[incumbent_].seen = true;
    former_ = std::exchange(incumbent_, winner);
    seconds_ *= gain;
    balance_ /= gain;
}

/// Half of the judged challengers go, and all that remain have a new goal.
void Trial::halve() {
    std::vector<Standing*> tried;
    for (Standing& one : standings_)
        if (!one.out && !one.pairs.empty()) tried.push_back(&one);
    std::ranges::stable_sort(tried, {}, &Standing::ratio);
    for (std::size_t i = (tried.size() + 1) / 2; i < tried.size(); ++i)
        if (tried[i]->ratio > rules.near * tried[0]->ratio) tried[i]->out = true;
    for (Standing* const one : tried)
        one->goal = *std::find_if(rules.pairs.begin(), rules.pairs.end() - 1,
                                  [&](std::size_t pairs) { return pairs > one->pairs.size(); });
}

Trial::Verdict Trial::judge() {
    std::size_t winner = incumbent_;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        Standing& one = standings_[i];
        if (i == incumbent_ || one.out || one.pairs.empty()) continue;
        if (leads(i)) {
            if (winner == incumbent_ || one.ratio < standings_[winner].ratio) winner = i;
        } else if (one.ratio > rules.by_far || one.pairs.size() >= rules.pairs.back() ||
                   mostly(one.pairs, false, 1 - rules.lead, rules.much_proof)) {
            one.out = true;
        }
    }
    const bool replaced = winner != incumbent_;
    if (replaced)
        promote(winner);
    else
        halve();
    for (std::size_t i = 0; i < arms_.size(); ++i)
        if (i != incumbent_ && !standings_[i].out && !standings_[i].unable)
            return replaced ? Verdict::replaced : Verdict::none;
    settled_ = true;
    watched_ratio_ = standings_[opponent()].ratio;
    balance_ = std::min(balance_, 0.0);
    return replaced ? Verdict::replaced : Verdict::confirmed;
}

Trial::Verdict Trial::watch() {
    Standing& one = standings_[opponent()];
    const bool drifted = one.ratio > rules.drift * watched_ratio_ || one.ratio * rules.drift < watched_ratio_;
    const bool reopens = drifted || one.ratio < 1;
    for (Standing& other : standings_) {
        other.pairs.clear();
        if (!reopens || &other == &standings_[incumbent_]) continue;
        other.out = false;
        other.goal = rules.pairs[1];
    }
    settled_ = !reopens;
    return reopens ? Verdict::reopened : Verdict::none;
}

/// The arm by which a winner is watched: native, else the best loser; the incumbent if there is none.
std::size_t Trial::opponent() const {
    std::size_t best = incumbent_;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        if (i == incumbent_ || standings_[i].unable) continue;
        if (is_native(i)) return i;
        if (best == incumbent_ || standings_[i].ratio < standings_[best].ratio) best = i;
    }
    return best;
}

/// The arm of the calls that are not measured: the incumbent, until blocks show another one to be faster, in
/// the first pair clearly, later in each.
std::size_t Trial::serving() const {
    std::size_t best = incumbent_;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        const Standing& one = standings_[i];
        if (!blocks() || settled_ || one.unable || one.out || one.pairs.empty()) continue;
        const double limit = one.pairs.size() < rules.pairs[1] ? 1 / rules.clearly : 1;
        if (std::ranges::max(one.pairs) < limit && one.ratio < standings_[best].ratio) best = i;
    }
    return best;
}

Trial::Verdict Trial::take(const std::vector<double>& reduced, std::uint64_t unable, Seconds exchange) {
    if (exchange > 0) exchange_ = exchange_ > 0 ? std::min(exchange_, exchange) : exchange;
    earn(Course(agenda_).calls());
    // The numbers of an arm that could not serve are the incumbent's.
    record(reduced);
    agenda_.rounds = 0;
    for (std::size_t i = 0; i < arms_.size(); ++i)
        if ((unable >> i & 1) != 0)
            standings_[i].unable = standings_[i].out = true, standings_[i].pairs.clear();
    balance_ -= exchange_price();
    return settled_ ? watch() : judge();
}

}  // namespace echelon
