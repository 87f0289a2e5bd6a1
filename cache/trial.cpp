// SPDX-License-Identifier: Apache-2.0
#include "cache/trial.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace echelon {
namespace {

/// Programs call in a rhythm: conjugate gradients form two sums in each iteration, one of them after waiting
/// for neighbours. So many calls of a challenger fall on all beats of a rhythm of two, three or six calls
/// alike.
constexpr long beats = 6;
constexpr std::size_t enough = std::size_t(beats), most_kept = 64;

}  // namespace

Trial::Trial(std::vector<Recipe> candidates, int percent)
    : candidates_(std::move(candidates)),
      lanes_(candidates_.size()),
      every_(std::max(2, 100 / std::max(percent, 1))),
      next_(every_) {
    for (Lane& lane : lanes_) lane.seconds.reserve(most_kept);  // no call allocates
}

std::size_t Trial::next() {
    // The first call is the chosen one's, so that a program of few calls runs that alone.
    if (++calls_ < next_) return 0;
    const auto wants = [&](std::size_t i) { return !lanes_[i].dropped && lanes_[i].calls <= long(enough); };
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
                       [](const Lane& lane) { return lane.dropped || lane.seconds.size() >= enough; });
}

std::vector<Seconds> Trial::times() const {
    std::vector<Seconds> times;
    for (const Lane& lane : lanes_) {
        if (lane.dropped || lane.seconds.empty()) {
            times.push_back(std::numeric_limits<Seconds>::max());
            continue;
        }
        // A median would jump from one beat's time to another's; outliers are no part of this either.
        std::vector<Seconds> sorted = lane.seconds;
        std::sort(sorted.begin(), sorted.end());
        const auto quarter = std::ptrdiff_t(sorted.size() / 4);
        times.push_back(std::accumulate(sorted.begin() + quarter, sorted.end() - quarter, 0.0) /
                        double(std::ptrdiff_t(sorted.size()) - 2 * quarter));
    }
    return times;
}

std::size_t winner_of(const std::vector<Recipe>& candidates, const std::vector<Seconds>& times) {
    // Changing costs more than it gains where times are nearly equal; but never slower than native.
    constexpr double clear_lead = 0.05, lead_of_native = 0.02;
    const auto fastest = std::size_t(std::min_element(times.begin(), times.end()) - times.begin());
    if (times[0] * (1 - clear_lead) > times[fastest]) return fastest;
    for (std::size_t i = 1; i < candidates.size(); ++i)
        if (candidates[i].kind == Recipe::Kind::native && times[0] * (1 - lead_of_native) > times[i])
            return i;
    return 0;
}

}  // namespace echelon
