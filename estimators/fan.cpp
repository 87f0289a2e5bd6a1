// SPDX-License-Identifier: Apache-2.0
#include "estimators/fan.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace echelon {

Seconds time_of_fan(double count, const FanMessage& each, double window) {
    if (count <= 0) return 0;
    const double rounds = std::ceil(count / window);
    return rounds * each.alone + (count - rounds) * each.behind;
}

Seconds time_of_branches_down(std::span<const Branch> branches, std::size_t window) {
    Seconds before = 0, last = 0;
    std::vector<Seconds> arrivals;
    for (std::size_t i = 0; i < branches.size(); ++i) {
        const FanMessage& message = branches[i].message;
        Seconds arrival = before + message.alone;
        for (std::size_t later = i + 1; later < std::min(branches.size(), i + window); ++later)
            arrival += branches[later].message.crowding;
        if (i >= window) arrival = std::max(arrival, arrivals[i - window] + message.alone);
        arrivals.push_back(arrival);
        before += message.behind;
        last = std::max(last, arrival + branches[i].beyond);
    }
    return last;
}

Seconds time_of_branches_up(std::span<const Branch> branches, std::size_t window) {
    std::vector<Seconds> done;
    for (std::size_t i = 0; i < branches.size(); ++i) {
        const Seconds posted = i < window ? 0 : done[i - window];
        const Seconds alone = std::max(posted, branches[i].beyond) + branches[i].message.alone;
        done.push_back(i == 0 ? alone : std::max(alone, done[i - 1] + branches[i].message.behind));
    }
    return done.empty() ? 0 : done.back();
}

}  // namespace echelon
