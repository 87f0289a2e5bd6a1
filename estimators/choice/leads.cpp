// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/leads.hpp"

#include <algorithm>

namespace echelon {
namespace {

Pace between(Bytes bytes, const Raced& shorter, const Raced& longer) {
    const double part = double(bytes - shorter.bytes) / double(longer.bytes - shorter.bytes);
    const auto at = [&](Seconds Pace::*one) {
        return shorter.pace.*one + part * (longer.pace.*one - shorter.pace.*one);
    };
    return {at(&Pace::native), at(&Pace::shared)};
}

}  // namespace

std::vector<Lead> leads_of(std::span<const Raced> raced, const std::optional<Raced>& beyond) {
    std::vector<Lead> found;
    if (raced.empty()) return found;
    if (raced.front().pace.leads()) found.push_back({{0, raced.front().bytes}, raced.front().pace});
    for (std::size_t i = 1; i < raced.size(); ++i) {
        const Raced &shorter = raced[i - 1], &longer = raced[i];
        if (!shorter.pace.leads() || !longer.pace.leads()) continue;
        for (Bytes from = shorter.bytes, to = 0; from < longer.bytes; from = to) {
            to = std::min(2 * from, longer.bytes);
            found.push_back({{from + 1, to}, between(to, shorter, longer)});
        }
    }
    if (beyond && beyond->pace.leads()) {
        found.push_back({{beyond->bytes / 2 + 1}, {beyond->pace.native / 2, beyond->pace.shared / 2}, false});
        return found;
    }
    const auto& [bytes, pace] = raced.back();
    if (bytes == 0 || !pace.leads()) return found;
    if (!pace.leads_by_far()) {
        found.push_back({{bytes + 1}, pace, false});
        return found;
    }
    const Pace twice{2 * pace.native, 2 * pace.shared};
    found.push_back({{bytes + 1, 2 * bytes}, twice});
    found.push_back({{2 * bytes + 1}, twice, false});
    return found;
}

const Lead* Leads::find(Collective collective, Bytes bytes) const {
    const auto by_size = found.find(collective);
    return by_size == found.end() ? nullptr : by_size->second.find(bytes);
}

}  // namespace echelon
