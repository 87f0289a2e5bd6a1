// SPDX-License-Identifier: Apache-2.0
#include "cache/trial.hpp"

#include <algorithm>
#include <limits>

namespace echelon {
namespace {

constexpr std::size_t enough = 5, most_kept = 64;

}  // namespace

Trial::Trial(std::vector<Recipe> candidates, int percent)
    : candidates_(std::move(candidates)),
      lanes_(candidates_.size()),
      every_(std::max(2, 100 / std::max(percent, 1))) {
    for (Lane& lane : lanes_) lane.seconds.reserve(most_kept);  // no call allocates
}

std::size_t Trial::next() {
    // The first call is the chosen one's, so that a program of few calls runs that alone.
    if (++calls_ % every_ != 0) return 0;
    for (std::size_t i = 1; i < lanes_.size(); ++i) {
        challenger_ = challenger_ % (lanes_.size() - 1) + 1;
        if (!lanes_[challenger_].dropped && lanes_[challenger_].calls <= long(enough)) break;
    }
    const Lane& lane = lanes_[challenger_];
    return lane.dropped || lane.calls > long(enough) ? 0 : challenger_;
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
        std::vector<Seconds> sorted = lane.seconds;
        const auto middle = sorted.begin() + std::ptrdiff_t(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        times.push_back(*middle);
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
