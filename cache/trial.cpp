// SPDX-License-Identifier: Apache-2.0
#include "cache/trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace echelon {
namespace {

/// Programs call in a rhythm: conjugate gradients form two sums in each iteration, one of them after waiting
/// for neighbours. So many calls of a challenger fall on all beats of a rhythm of two, three or six calls
/// alike.
constexpr long beats = 6;
constexpr std::size_t fewest = std::size_t(beats), most = 4 * fewest, most_kept = 64;

bool leads(const std::vector<Trial::Time>& times, std::size_t candidate, double by) {
    return times[0].seconds * (1 - by) > times[candidate].seconds;
}

}  // namespace

Trial::Trial(std::vector<Recipe> candidates, int percent)
    : candidates_(std::move(candidates)),
      lanes_(candidates_.size()),
      every_(std::max(2, 100 / std::max(percent, 1))),
      next_(every_),
      enough_(fewest) {
    for (Lane& lane : lanes_) lane.seconds.reserve(most_kept);  // no call allocates
}

std::size_t Trial::next() {
    // The first call is the chosen one's, so that a program of few calls runs that alone.
    if (++calls_ < next_) return 0;
    const auto wants = [&](std::size_t i) { return !lanes_[i].dropped && lanes_[i].calls <= long(enough_); };
    const auto following = [&](std::size_t i) { return i % (lanes_.size() - 1) + 1; };
    for (std::size_t i = 1; i < lanes_.size() && !wants(challenger_); ++i)
        challenger_ = following(challenger_);
    if (!wants(challenger_) || calls_ % beats != lanes_[challenger_].calls % beats) return 0;
    next_ = calls_ + every_;
    const std::size_t now = challenger_;
    challenger_ = following(challenger_);
    return now;
}

void Trial::took(std::size_t candidate, Seconds seconds) {
    Lane& lane = lanes_[candidate];
    if (lane.calls++ == 0) return;
    if (lane.seconds.size() < most_kept)
        lane.seconds.push_back(seconds);
    else
        lane.seconds[std::size_t(lane.calls) % most_kept] = seconds;
}

bool Trial::finished() const {
    return std::all_of(lanes_.begin(), lanes_.end(),
                       [this](const Lane& lane) { return lane.dropped || lane.seconds.size() >= enough_; });
}

bool Trial::go_on() {
    if (enough_ == most) return false;
    enough_ *= 2;
    return true;
}

std::vector<Trial::Time> Trial::times() const {
    std::vector<Time> times;
    for (const Lane& lane : lanes_) {
        if (lane.dropped || lane.seconds.empty()) {
            times.push_back({std::numeric_limits<Seconds>::max(), 0});
            continue;
        }
        // A median would jump from one beat's time to another's; outliers are no part of this either.
        std::vector<Seconds> sorted = lane.seconds;
        std::sort(sorted.begin(), sorted.end());
        const auto quarter = std::ptrdiff_t(sorted.size() / 4);
        const auto first = sorted.begin() + quarter, last = sorted.end() - quarter;
        times.push_back({std::accumulate(first, last, 0.0) / double(last - first),
                         (*(last - 1) - *first) / std::sqrt(double(sorted.size()))});
    }
    return times;
}

bool is_sure(const std::vector<Trial::Time>& times, std::size_t winner) {
    return winner == 0 || times[0].seconds - times[winner].seconds > times[0].error + times[winner].error;
}

std::size_t native_or_first(const std::vector<Recipe>& candidates, const std::vector<Trial::Time>& times) {
    constexpr double lead = 0.02;
    for (std::size_t i = 1; i < candidates.size(); ++i)
        if (candidates[i].kind == Recipe::Kind::native && leads(times, i, lead)) return i;
    return 0;
}

std::size_t winner_of(const std::vector<Recipe>& candidates, const std::vector<Trial::Time>& times) {
    // Changing costs more than it gains where times are nearly equal; but never slower than native.
    constexpr double clear_lead = 0.05;
    const auto fastest =
        std::size_t(std::min_element(times.begin(), times.end(),
                                     [](const auto& a, const auto& b) { return a.seconds < b.seconds; }) -
                    times.begin());
    return leads(times, fastest, clear_lead) ? fastest : native_or_first(candidates, times);
}

}  // namespace echelon
