// SPDX-License-Identifier: Apache-2.0
#include "bench/simulated_class.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {
namespace {

double uniform(std::mt19937_64& random, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
}

/// Lateness of each rank, and the factor of noise and pace on a call.
struct Circumstances {
    std::vector<double> late;
    double factor;
};

Circumstances circumstances(const SimulatedClass& calls, long call, std::mt19937_64& random) {
    Circumstances made{.late = std::vector<double>(std::size_t(calls.ranks)), .factor = 1};
    for (double& one : made.late) one = uniform(random, 0, calls.lateness);
    made.factor += calls.noise * std::abs(std::normal_distribution<double>()(random));
    const double disturbance = uniform(random, 1, 10);
    if (calls.disturbed && uniform(random, 0, 1) < 0.02) made.factor *= disturbance;
    made.factor *= std::pow(calls.drift, std::sin(double(call) / 80));
    return made;
}

/// Departure of each rank from a call that takes `took`. Recipes differ in the ranks that leave early.
std::vector<double> leave(Flow flow, const std::vector<double>& entered, double took, std::size_t arm) {
    const std::size_t p = entered.size();
    const double last = *std::ranges::max_element(entered), early = 0.15 * double(arm % 4);
    std::vector<double> left(p);
    double root = 0;
    for (std::size_t i = 0; i < p; ++i) {
        const double depth = double((i * 3 + arm) % p) / double(p - 1);  // 0 to 1
        switch (flow) {
            case Flow::synchronising:
                left[i] = last + took * (1 - early * depth);
                break;
            case Flow::from_root:
                left[i] = i == 0 ? entered[0] + 0.2 * took
                                 : std::max(entered[i] + 0.4 * took, entered[0] + took * (0.5 + depth / 2));
                break;
            case Flow::to_root:
                left[i] = entered[i] + 0.05 * took;
                root = std::max({root, entered[0] + 0.4 * took, entered[i] + took * (0.5 + depth / 2)});
                break;
        }
    }
    if (flow == Flow::to_root) left[0] = std::max(left[0], root);
    return left;
}

/// A program of calls by some recipe: the clocks of its ranks.
class Program {
public:
    explicit Program(const SimulatedClass& calls) : calls_(calls), clocks_(std::size_t(calls.ranks)) {}
    /// Makes a call, of which `begun` and `left` remember the instants.
    void call(const Circumstances& now, double took, std::size_t arm, double extra = 0) {
        entered_ = clocks_;
        for (std::size_t i = 0; i < clocks_.size(); ++i) entered_[i] += now.late[i];
        clocks_ = leave(calls_.flow, entered_, took * now.factor, arm);
        for (double& one : clocks_) one += extra;
    }
    void synchronise() { std::ranges::fill(clocks_, time()); }
    void wait(double time) {
        for (double& one : clocks_) one += time;
    }
    double time() const { return *std::ranges::max_element(clocks_); }
    double clock(std::size_t rank) const { return clocks_[rank]; }
    double entered(std::size_t rank) const { return entered_[rank]; }

private:
    const SimulatedClass& calls_;
    std::vector<double> clocks_, entered_;
};

struct Rank : CallCounter {
    Course course = {};
    double offset = 0;
};

}  // namespace

SimulatedClass draw_class(std::mt19937_64& random, double best) {
    SimulatedClass made;
    const int challengers = int(uniform(random, 3, 9));
    const auto off_by = [&](double spread) {
        return std::exp(spread * std::normal_distribution<double>()(random));
    };
    made.takes.push_back(1);
    made.expected.push_back(off_by(0.5));
    made.setup.push_back(0);
    // An exchange of timings, and each communicator, costs about as much as a short call.
    made.exchange = std::exp(uniform(random, std::log(0.001), std::log(1.5)));
    const int winner = int(uniform(random, 0, challengers));
    for (int i = 0; i < challengers; ++i) {
        made.takes.push_back(i == winner ? best : best * (1 + std::exp(uniform(random, -3, 1.5))));
        made.expected.push_back(made.takes.back() * off_by(0.35));
        made.setup.push_back(uniform(random, 0, 1) < 0.3 ? 0 : made.exchange * uniform(random, 4, 20));
    }
    made.noise = uniform(random, 0.01, 0.15);
    made.drift = uniform(random, 1, 1.5);
    return made;
}

std::vector<Outcome> run(const SimulatedClass& calls, const std::vector<long>& after, double share,
                         std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Trial::Arm> arms;
    for (std::size_t i = 0; i < calls.takes.size(); ++i)
        arms.push_back({.recipe = i == 0 ? Recipe() : Recipe::parse("ring"),
                        .expected = calls.expected[i],
                        .setup = calls.setup[i] * calls.expected[0]});
    const bool synchronising = calls.flow == Flow::synchronising;
    constexpr long synchronises_every = 10;  // for calls that do not synchronise
    Trial trial(arms, {.evidence = !synchronising    ? Trial::Evidence::blocks
                                   : calls.one_clock ? Trial::Evidence::one_clock
                                                     : Trial::Evidence::own_clocks,
                       .share = share,
                       .exchange = calls.exchange * calls.expected[0],
                       .rhythm = synchronising ? 0 : synchronises_every,
                       .ranks = calls.ranks});
    std::vector<Rank> ranks(std::size_t(calls.ranks));
    const auto follow = [&] {
        const Agenda agenda = trial.next();
        for (Rank& one : ranks) {
            one.course = Course(agenda);
            one.grant(0);
        }
        return agenda.rounds > 0;
    };
    bool tries = follow();
    if (!calls.one_clock)
        for (Rank& one : ranks) one.offset = uniform(random, 0, 1e6);
    std::vector<bool> made(arms.size());

    std::vector<Outcome> outcomes;
    // The same program by the trial's recipes, natively, and with calls that take no time.
    Program ours(calls), native(calls), idle(calls);
    long tried = 0, exchanges = 0, travelling = 0;
    std::size_t arm = 0;
    constexpr long travel = 4;  // synchronising calls, or one, for an exchange
    for (long call = 0; outcomes.size() < after.size(); ++call) {
        if (!synchronising && call % synchronises_every == 0)
            for (Program* one : {&ours, &native, &idle}) one->synchronise();
        const bool meets = synchronising || call % synchronises_every == 0;
        if (tries && ranks[0].course.is_done() && meets && ++travelling >= (synchronising ? travel : 1)) {
            std::vector<double> reduced = ranks[0].course.numbers();
            for (std::size_t i = 1; i < ranks.size(); ++i) {
                const std::vector<double> own = ranks[i].course.numbers();
                if (own.size() != reduced.size()) throw Error("ranks exchange different things");
                for (std::size_t j = 0; j < own.size(); ++j)
                    reduced[j] = synchronising ? std::min(reduced[j], own[j]) : reduced[j] + own[j];
            }
            (void)trial.take(reduced, 0, calls.exchange);
            ours.wait(calls.exchange);
            ++exchanges;
            travelling = 0;
            tries = follow();
        }
        const std::size_t before = arm;
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            Rank& one = ranks[i];
            std::size_t own = before;
            if (--one.left <= 0) own = one.course.next(one, one.offset + ours.clock(i));
            if (i == 0) arm = own;
            if (own != arm) throw Error("ranks do different things");
        }
        tried += arm == trial.incumbent() ? 0 : 1;
        const Circumstances now = circumstances(calls, call, random);
        ours.call(now, calls.takes[arm], arm, made[arm] ? 0 : calls.setup[arm]);
        made[arm] = true;
        native.call(now, 1, 0);
        idle.call(now, 0, 0);
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            ranks[i].entered = ranks[i].offset + ours.entered(i);
            ranks[i].departed = ranks[i].offset + ours.clock(i);
        }
        if (call + 1 == after[outcomes.size()]) {
            // Late ranks hide a part of the calls.
            const double hidden = 0.01 * double(call + 1);
            outcomes.push_back({(ours.time() - idle.time() + hidden) / (native.time() - idle.time() + hidden),
                                trial.incumbent(), tried, exchanges});
        }
    }
    return outcomes;
}

}  // namespace echelon
