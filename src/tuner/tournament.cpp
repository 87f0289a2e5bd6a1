// SPDX-License-Identifier: Apache-2.0
// The arm of the next call, and its price.
#include "tuner/tournament.hpp"

#include <algorithm>
#include <utility>

namespace echelon {

Tournament::Tournament(std::vector<Arm> arms, const Terms& terms)
    : arms_(std::move(arms)), terms_(terms), own_(rules.most_tried) {
    Common& c = common_;
    c.standings.resize(arms_.size());
    const Seconds first = arms_.front().expected;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        if (first > 0 && arms_[i].expected > 0) c.standings[i].ratio = arms_[i].expected / first;
        c.standings[i].seen = arms_[i].seen;
        // Among ranks that share memory, an existing window makes a first call needless.
        c.standings[i].started = i == 0 || (terms_.warm_up > 0 && arms_[i].setup == 0);
        c.standings[i].glanced = is_native(i);  // native is warm from the start
    }
    c.exchanged_at = 10;
    c.incumbents_call.fill(never);
    c.tried.reserve(rules.most_tried);  // no call allocates
}

double Tournament::in_calls(Seconds seconds, double unknown) const {
    const Seconds call = common_.seconds > 0 ? common_.seconds : arms_[common_.incumbent].expected;
    return seconds == 0 ? 0 : call > 0 ? seconds / call : unknown;
}

// A wrong model must not keep the ranks from finding that out.
double Tournament::exchange_cost(Way way) const {
    // No rank waits for an asynchronous reduction to rank 0, the only way without a time in rounds.
    const Seconds time = way == Way::at_once ? terms_.exchange : terms_.rounds.value_or(0);
    const double cost = in_calls(time, 1);
    return common_.seconds > 0 ? cost : std::min(cost, rules.unseen_exchange);
}

double Tournament::least_exchange_cost() const {
    const double at_once = exchange_cost(Way::at_once);
    return terms_.rounds ? std::min(at_once, exchange_cost(Way::in_rounds)) : at_once;
}

void Tournament::exchanges_take(Seconds at_once, Seconds in_rounds) {
    if (at_once > 0) terms_.exchange = at_once;
    if (in_rounds > 0 && terms_.rounds) terms_.rounds = in_rounds;
}

double Tournament::gained() const {
    double calls = 0;
    for (std::size_t i = 0; i < arms_.size(); ++i)
        if (const Standing& one = common_.standings[i]; is_promising(i))
            calls += double(one.waiting * std::size_t(visit(i))) * (1 - one.ratio);
    return calls;
}

bool Tournament::affords_exchange(double cost) const {
    const double missing = cost - gained();
    return common_.balance >= missing || (missing <= 0 && gained() > 0);
}

double Tournament::reserve(std::size_t arm) const {
    const Common& c = common_;
    const Standing& one = c.standings[arm];
    // Native calls cost the account nothing until one was timed: only this reveals a wrong model of native. A
    // calibrated model is not wrong by far.
    const bool surely_slower = terms_.calibrated && one.ratio > rules.far_off;
    if (is_native(arm) && !one.seen && !surely_slower) return 0;
    const double doubt = one.seen                                                ? 1
                         : arms_[arm].known || c.model_seen || terms_.calibrated ? rules.less_doubt
                                                                                 : rules.doubt;
    double more = std::max(0.0, one.ratio * doubt - 1);
    // The program used native before: a model that calls it slow delays its first pair, but not for ever.
    if (is_native(arm) && one.pairs.empty()) more = std::min(more, rules.natives_price);
    return more * (one.started ? double(visit(arm)) : 1) +
           (one.started || one.paid ? 0 : in_calls(arms_[arm].setup, rules.unknown_setup));
}

bool Tournament::wants(std::size_t arm) const {
    const Common& c = common_;
    const Standing& one = c.standings[arm];
    if (arm == c.incumbent || one.unable || one.held) return false;
    if (c.concluded) return arm == c.opponent && one.waiting < rules.watched_pairs;
    return !one.out && one.pairs.size() + one.waiting < one.goal;
}

bool Tournament::is_promising(std::size_t arm) const {
    const Standing& one = common_.standings[arm];
    return !common_.concluded && one.seen && one.ratio < rules.promising && trusts_times();
}

bool Tournament::affords(std::size_t arm, double more) const {
    return is_promising(arm) || common_.balance + more >= reserve(arm);
}

bool Tournament::may_start_another() const { return common_.model_seen || common_.blind < rules.blind; }

bool Tournament::may_run(std::size_t arm, long call) const {
    const Common& c = common_;
    const Standing& one = c.standings[arm];
    if (c.tried.size() == rules.most_tried || !wants(arm) || !affords(arm)) return false;
    if (!one.started) return c.latest_incumbent != never && may_start_another();
    const auto beat = std::size_t((call + visit(arm) - 1) % beats);
    return call - c.incumbents_call[beat] <= 2 * beats && !one.judged_on[beat];
}

std::size_t Tournament::next_arm(long call) const {
    const Common& c = common_;
    if (c.concluded) return may_run(c.opponent, call) ? c.opponent : c.incumbent;
    std::size_t best = c.incumbent;
    for (std::size_t i = 0; i < arms_.size(); ++i)
        if (may_run(i, call) && (best == c.incumbent || reserve(i) < reserve(best))) best = i;
    return best;
}

double Tournament::income(long call) const {
    return common_.concluded          ? rules.watch_part * terms_.share
           : call < rules.first_calls ? std::min(terms_.first_share, terms_.share)
                                      : terms_.share;
}

long Tournament::idle() const {
    const Common& c = common_;
    if (c.running != c.incumbent || exchange_due()) return 0;
    long most = 1000;
    const double least = income(rules.first_calls);  // income falls at evaluations only
    double missing = double(most) * least;
    const auto until = [&](double balance) {
        if (balance > c.balance) missing = std::min(missing, balance - c.balance);
    };
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        if (!wants(i)) continue;
        if (affords(i)) return 0;
        until(reserve(i));
    }
    if (!c.tried.empty()) {
        until(least_exchange_cost() - gained());
        const long until_due = 2 * c.exchanged_at - c.calls;
        if (!c.concluded && until_due > 0) most = std::min(most, until_due);
    }
    // A challenger is compared with calls shortly before its own.
    return std::max(0L, std::min(most, long(missing / least) - 2 * beats - 1));
}

void Tournament::pass(long calls) {
    Common& c = common_;
    const long early = std::clamp(rules.first_calls - c.calls, 0L, calls);
    c.balance += double(early) * income(0) + double(calls - early) * income(rules.first_calls);
    c.calls += calls;
}

std::size_t Tournament::next() {
    Common& c = common_;
    const long call = c.calls++;
    c.balance += income(call);
    if (c.following == 0) {
        c.running = next_arm(call);
        if (c.running != c.incumbent) {
            c.charged = reserve(c.running);
            c.balance -= c.charged;
            c.following = c.standings[c.running].started ? visit(c.running) : 1;
        }
    }
    const std::size_t best = c.running;
    if (c.following > 1) {
        --c.following;
        c.measures = false;
        return best;
    }
    c.following = 0;
    // The incumbent is timed shortly before a challenger is compared with it.
    c.measures = best != c.incumbent;
    for (std::size_t i = 0; i < arms_.size(); ++i)
        if (wants(i) && affords(i, income(rules.first_calls) * 2 * beats)) c.measures = true;
    const auto beat = std::size_t(call % beats);
    if (best == c.incumbent) {
        if (call == 0 || !c.measures) return best;  // the first one makes what it needs
        c.incumbents_call[beat] = c.latest_incumbent = call;
        own_.expect_incumbent(beat);
        return best;
    }
    Standing& one = c.standings[best];
    c.tried.push_back({.arm = best, .judged = one.started, .charged = c.charged});
    own_.expect_challenger(one.started ? beat : std::size_t(c.latest_incumbent % beats));
    if (one.started) {
        ++one.waiting;
        one.judged_on.set(beat);
        if (one.judged_on.all()) one.judged_on.reset();
    }
    if (!one.seen && !one.started) ++c.blind;
    one.started = true;
    return best;
}

void Tournament::end_visit() {
    Common& c = common_;
    if (c.following > 0) c.balance += c.charged;
    c.following = 0;
    c.running = c.incumbent;
}

void Tournament::postpone() {
    Common& c = common_;
    if (c.following > 0) {
        c.standings[c.running].held = true;
        end_visit();
        return;
    }
    const Tried& last = c.tried.back();
    Standing& one = c.standings[last.arm];
    one.held = true;
    c.balance += last.charged;
    if (last.judged) {
        --one.waiting;
        one.judged_on.reset();
    } else {
        one.started = false;
        if (!one.seen) --c.blind;
        if (!std::exchange(one.paid, true)) c.balance -= in_calls(arms_[last.arm].setup, rules.unknown_setup);
    }
    c.tried.pop_back();
    own_.forget_challenger();
    c.running = c.incumbent;
    c.latest_incumbent = c.calls - 1;
    const auto beat = std::size_t(c.latest_incumbent % beats);
    c.incumbents_call[beat] = c.latest_incumbent;
    own_.expect_incumbent(beat);
}

void Tournament::resume() {
    for (Standing& one : common_.standings) one.held = false;
}

void Tournament::drop(std::size_t arm) {
    Common& c = common_;
    c.standings[arm].unable = true;
    c.standings[arm].out = true;
    if (c.running == arm) end_visit();
}

bool Tournament::exchange_due() const {
    const Common& c = common_;
    if (c.following > 0 || c.tried.empty() || !affords_exchange(least_exchange_cost())) return false;
    // An exchange waits for every arm that may run. It waits for a started arm that cannot pay, unless a
    // promising arm waits for the exchange.
    bool complete = true, hopeful = false;
    for (std::size_t i = 0; i < arms_.size(); ++i)
        hopeful = hopeful || (is_promising(i) && c.standings[i].waiting > 0);
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        const bool started = c.standings[i].started;
        if (wants(i) && (affords(i) ? started || may_start_another() : started && !hopeful)) complete = false;
    }
    return complete || c.tried.size() == rules.most_tried || (!c.concluded && c.calls >= 2 * c.exchanged_at);
}

bool Tournament::is_urgent() const {
    return !common_.concluded && std::ranges::any_of(common_.standings, [](const Standing& one) {
        return one.waiting > 0 && one.ratio < rules.promising;
    });
}

std::optional<double> Tournament::ratio(std::size_t arm) const {
    const Standing& one = common_.standings[arm];
    return one.seen ? std::optional(one.ratio) : std::nullopt;
}

}  // namespace echelon
