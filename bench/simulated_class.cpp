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

/// Arrival of each rank, and the factor of noise and pace on a call.
struct Circumstances {
    std::vector<double> entered;
    double factor;
};

Circumstances circumstances(const SimulatedClass& calls, long call, std::mt19937_64& random) {
    Circumstances made{.entered = std::vector<double>(std::size_t(calls.ranks)), .factor = 1};
    for (double& one : made.entered) one = uniform(random, 0, calls.lateness);
    made.factor += calls.noise * std::abs(std::normal_distribution<double>()(random));
    const double disturbance = uniform(random, 1, 10);
    if (calls.disturbed && uniform(random, 0, 1) < 0.02) made.factor *= disturbance;
    made.factor *= std::pow(calls.drift, std::sin(double(call) / 80));
    return made;
}

/// Departure of each rank. Recipes differ in the ranks that leave early.
std::vector<double> leave(const SimulatedClass& calls, const Circumstances& now, std::size_t arm) {
    const std::size_t p = now.entered.size();
    const double took = calls.takes[arm] * now.factor;
    const double last = *std::max_element(now.entered.begin(), now.entered.end());
    const double early = 0.15 * double(arm % 4);
    std::vector<double> left(p);
    for (std::size_t i = 0; i < p; ++i) {
        const double depth = double((i * 3 + arm) % p) / double(p - 1);  // 0 to 1
        switch (calls.flow) {
            case Flow::synchronising:
                left[i] = last + took * (1 - early * depth);
                break;
            case Flow::from_root:
                left[i] = i == 0 ? now.entered[0] + 0.2 * took
                                 : std::max(now.entered[i] + 0.05, now.entered[0] + took * (0.5 + depth / 2));
                break;
            case Flow::to_root:
                left[i] = now.entered[i] + 0.05 * took;
                break;
        }
    }
    if (calls.flow == Flow::to_root)
        for (std::size_t i = 0; i < p; ++i) {
            const double depth = double((i * 3 + arm) % p) / double(p - 1);
            left[0] = std::max(left[0], now.entered[i] + took * (0.5 + depth / 2));
        }
    return left;
}

/// Delay of the program by a call.
double delay(const Circumstances& now, const std::vector<double>& left) {
    return *std::max_element(left.begin(), left.end()) -
           *std::max_element(now.entered.begin(), now.entered.end());
}

template <class Ask>
auto alike(std::vector<Tournament>& ranks, Ask&& ask) {
    const auto first = ask(ranks.front());
    for (std::size_t i = 1; i < ranks.size(); ++i)
        if (ask(ranks[i]) != first) throw Error("ranks do different things");
    return first;
}

void settle(std::vector<Tournament>& ranks) {
    const auto least_of = [&](auto&& ask) {
        std::vector<double> least = ask(ranks.front());
        for (const Tournament& one : ranks) {
            const std::vector<double> own = ask(one);
            if (own.size() != least.size()) throw Error("ranks exchange different things");
            for (std::size_t i = 0; i < own.size(); ++i) least[i] = std::min(least[i], own[i]);
        }
        return least;
    };
    const std::vector<double> roots = least_of([](const Tournament& one) { return one.own_roots(); });
    const std::vector<double> least = least_of([&](const Tournament& one) { return one.own_numbers(roots); });
    (void)alike(ranks, [&](Tournament& one) { return one.evaluate(least); });
}

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

std::vector<Course> run(const SimulatedClass& calls, const std::vector<long>& after, double share,
                        std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Tournament::Arm> arms;
    for (std::size_t i = 0; i < calls.takes.size(); ++i)
        arms.push_back({.recipe = i == 0 ? Recipe() : Recipe::parse("ring"),
                        .expected = calls.expected[i],
                        .setup = calls.setup[i] * calls.expected[0]});
    const Tournament::Terms terms{
        .measure = calls.measure, .share = share, .exchange = calls.exchange * calls.expected[0]};
    std::vector<Tournament> ranks(std::size_t(calls.ranks), Tournament(arms, terms));
    std::vector<double> offsets(ranks.size());
    using Measure = Tournament::Measure;
    if (calls.measure == Measure::shortest_stay || calls.measure == Measure::longest_stay)
        for (double& one : offsets) one = uniform(random, 0, 1e6);
    std::vector<bool> made(arms.size());

    std::vector<Course> courses;
    double ours = 0, native = 0, instant = 0;
    long tried = 0, settlements = 0;
    constexpr long synchronises_every = 10;  // for calls that do not synchronise
    for (long call = 0; courses.size() < after.size(); ++call) {
        const bool synchronises = calls.flow == Flow::synchronising || call % synchronises_every == 0;
        if (synchronises && alike(ranks, [](Tournament& one) { return one.exchange_due(); })) {
            settle(ranks);
            ours += calls.exchange;
            ++settlements;
        }
        const Circumstances now = circumstances(calls, call, random);
        const std::size_t arm = alike(ranks, [](Tournament& one) { return one.next(); });
        tried += arm == ranks[0].incumbent() ? 0 : 1;
        std::vector<double> left = leave(calls, now, arm);
        if (!made[arm])
            for (double& one : left) one += calls.setup[arm];
        made[arm] = true;
        for (std::size_t i = 0; i < ranks.size(); ++i)
            ranks[i].took(offsets[i] + instant + now.entered[i], offsets[i] + instant + left[i], i == 0);
        ours += delay(now, left);
        native += delay(now, leave(calls, now, 0));
        instant += 20 * (1 + calls.lateness);
        if (call + 1 == after[courses.size()])
            courses.push_back({ours / native, ranks[0].incumbent(), tried, settlements});
    }
    return courses;
}

}  // namespace echelon
