// SPDX-License-Identifier: Apache-2.0
#include "tuner/timings.hpp"

#include <algorithm>
#include <limits>

namespace echelon {
namespace {

/// Larger than any time.
constexpr double unread = std::numeric_limits<double>::max();
constexpr std::size_t challenger = Timings::beats;

}  // namespace

Timings::Timings(std::size_t most) { tried_.reserve(most); }

void Timings::expect_incumbent(std::size_t beat) {
    incumbents_[beat] = {};
    expected_ = beat;
}

void Timings::expect_challenger(std::size_t beat) {
    tried_.push_back({{}, incumbents_[beat]});
    expected_ = challenger;
}

void Timings::forget_challenger() {
    tried_.pop_back();
    expected_.reset();
}

void Timings::took(Seconds entered, Seconds left, bool root) {
    if (!expected_) return;
    (*expected_ == challenger ? tried_.back().challenger : incumbents_[*expected_]) = {entered, left, root,
                                                                                       true};
}

std::vector<double> Timings::own_roots(Measure measure) const {
    std::vector<double> entered;
    if (measure != Measure::behind_root) return entered;
    for (const Tried& tried : tried_)
        for (const Reading& one : {tried.challenger, tried.incumbent})
            entered.push_back(one.root ? one.entered : unread);
    return entered;
}

/// Two numbers of a call, whose minima over the ranks take() interprets.
std::array<double, 2> Timings::numbers(Measure measure, const Reading& one, Seconds root) {
    if (!one.taken) return {unread, unread};
    switch (measure) {
        case Measure::last_delay:
            return {-one.left, -one.entered};
        case Measure::behind_root:
            return {std::max(one.entered, root) - one.left, 0};
        case Measure::shortest_stay:
        case Measure::longest_stay:
            break;
    }
    return {one.entered - one.left, one.left - one.entered};
}

std::vector<double> Timings::own_numbers(Measure measure, const std::vector<double>& roots) const {
    std::vector<double> all;
    auto root = roots.begin();
    for (const Tried& tried : tried_)
        for (const Reading& one : {tried.challenger, tried.incumbent})
            for (const double number : numbers(measure, one, roots.empty() ? 0 : *root++))
                all.push_back(number);
    return all;
}

std::vector<std::optional<Timings::Exchanged>> Timings::take(Measure measure,
                                                             const std::vector<double>& least) {
    const auto seconds = [&](const double* one) {
        constexpr Seconds instant = 1e-12;
        const double longest = -one[0], shortest = one[1];
        return std::max(instant, measure == Measure::last_delay      ? one[1] - one[0]
                                 : measure == Measure::shortest_stay ? shortest
                                                                     : longest);
    };
    std::vector<std::optional<Exchanged>> all(tried_.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double *const ours = &least[4 * i], *const theirs = ours + 2;
        if (ours[0] != unread && theirs[0] != unread)
            all[i] = {{seconds(ours), seconds(theirs)}, {-ours[0], -theirs[0]}};
    }
    tried_.clear();
    expected_.reset();
    return all;
}

}  // namespace echelon
