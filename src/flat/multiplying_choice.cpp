// SPDX-License-Identifier: Apache-2.0
#include "flat/multiplying_choice.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <limits>

namespace echelon {
namespace {

using Kind = MultiplyingStage::Kind;
using Factors = std::vector<int>;

/// Largest base considered: more messages at a time congest any network.
constexpr int largest_base = 16;

/// Calls `take` with every factorisation of n into factors from 2 to `most`, in descending order.
template <class Take>
void factorise(int n, int most, Factors& so_far, const Take& take) {
    if (n == 1) return take(so_far);
    for (int factor = 2; factor <= std::min(n, most); ++factor) {
        if (n % factor != 0) continue;
        so_far.push_back(factor);
        factorise(n / factor, factor, so_far, take);
        so_far.pop_back();
    }
}

MultiplyingSchedule factored(const Factors& factors) {
    MultiplyingSchedule schedule;
    for (const int factor : factors) schedule.push_back({.base = factor});
    return schedule;
}

/// Collapse and expansion around the factors of the remaining number of ranks. Requires: `collapsed` is a
/// multiple of `base`.
MultiplyingSchedule split(const Factors& factors, int base, int collapsed) {
    MultiplyingSchedule schedule = factored(factors);
    schedule.insert(schedule.begin(), {.kind = Kind::collapse, .base = base, .ranks = collapsed});
    schedule.push_back({.kind = Kind::expand, .base = base, .ranks = collapsed});
    return schedule;
}

/// Merge and inverse merge as the first and last stage of the factors of the ranks that are not merged.
/// Requires: at least two factors.
MultiplyingSchedule merged(const Factors& factors, int size, int remaining) {
    MultiplyingSchedule schedule = factored(factors);
    const auto with = [&](MultiplyingStage& stage, Kind kind) {
        stage = {.kind = kind, .base = stage.base, .ranks = remaining, .groups = size / stage.base};
    };
    with(schedule.front(), Kind::merge);
    with(schedule.back(), Kind::inverse_merge);
    return schedule;
}

/// Calls `take` with all schedules of the kind for which `worth(n, stages, rounds)` holds. n: product of the
/// multiplying stages; `stages`: number of other stages; `rounds`: least number of additional rounds.
template <class Worth, class Take>
void each_factored(int p, const Worth& worth, const Take& take) {
    Factors factors;
    if (worth(p, 0, 0)) factorise(p, largest_base, factors, [&](const Factors& f) { take(factored(f)); });
}

template <class Worth, class Take>
void each_split(int p, const Worth& worth, const Take& take) {
    Factors factors;
    for (int base = 2; base <= std::min(p, largest_base); ++base)
        for (int collapsed = base; collapsed <= p; collapsed += base)
            if (const int left = p - collapsed / base * (base - 1); worth(left, 2, 2 * (base - 1)))
                factorise(left, largest_base, factors,
                          [&](const Factors& f) { take(split(f, base, collapsed)); });
}

template <class Worth, class Take>
void each_merged(int p, const Worth& worth, const Take& take) {
    Factors factors;
    for (int remaining = 1; 2 * remaining <= p; ++remaining)
        if (worth(p - remaining, 0, 2))  // one more round in the first and the last stage
            factorise(p - remaining, largest_base, factors, [&](const Factors& f) {
                if (f.size() >= 2) take(merged(f, p - remaining, remaining));
            });
}

/// The least sum of `cost(factor)` over factorisations of n, for each n up to p; infinite if n has a prime
/// factor above `largest_base`.
template <class Cost>
std::vector<double> least_factored(int p, const Cost& cost) {
    std::vector<double> least(std::size_t(p) + 1, std::numeric_limits<double>::infinity());
    least[1] = 0;
    for (int n = 1; n <= p / 2; ++n)
        for (int factor = 2; factor <= std::min(largest_base, p / n); ++factor)
            least[std::size_t(n * factor)] =
                std::min(least[std::size_t(n * factor)], least[std::size_t(n)] + cost(factor));
    return least;
}

}  // namespace

int one_ported_rounds(const MultiplyingStage& stage) {
    const int remaining = stage.groups == 0 ? 0 : (stage.ranks + stage.groups - 1) / stage.groups;
    return stage.base - 1 + remaining;
}

MultiplyingSchedule best_multiplying_schedule(int p, double overlap) {
    const auto cost = [&](const MultiplyingStage& stage) { return overlap + one_ported_rounds(stage); };
    const std::vector<double> multiplying =
        least_factored(p, [&](int factor) { return cost({.base = factor}); });
    MultiplyingSchedule best;
    double least = std::numeric_limits<double>::infinity();
    const auto worth = [&](int n, int stages, int rounds) {
        return multiplying[std::size_t(n)] + stages * overlap + rounds < least;
    };
    const auto consider = [&](const MultiplyingSchedule& schedule) {
        double sum = 0;
        for (const MultiplyingStage& stage : schedule) sum += cost(stage);
        if (sum < least) {
            least = sum;
            best = schedule;
        }
    };
    each_factored(p, worth, consider);
    each_merged(p, worth, consider);
    each_split(p, worth, consider);
    return best;
}

MultiplyingSchedule multiplying_schedule(std::string_view text, int p) {
    if (text.empty()) return best_multiplying_schedule(p);
    MultiplyingSchedule schedule = parse_multiplying_schedule(text);
    if (const std::string reason = misfit(schedule, p); !reason.empty())
        throw Error("schedule '" + std::string(text) + "' does not fit " + std::to_string(p) +
                    " ranks: " + reason);
    return schedule;
}

}  // namespace echelon
