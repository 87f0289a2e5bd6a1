// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/startup_results.hpp"

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

/// Adds results for vectors longer than `shorter` and up to `most` bytes, cut at doublings.
void add_between(const Raced& shorter, const Raced& longer, Bytes most, std::vector<StartupResult>& found) {
    const bool seen = shorter.pace.leads() && longer.pace.leads();
    const double worse = std::max(shorter.pace.ratio(), longer.pace.ratio());
    for (Bytes from = shorter.bytes, to = 0; from < most; from = to) {
        to = std::min(2 * from, most);
        Pace pace = between(to, shorter, longer);
        if (!seen) pace.shared = worse * pace.native;
        found.push_back({{from + 1, to}, pace, seen ? StartupResult::Kind::seen : StartupResult::Kind::lost});
    }
}

}  // namespace

std::vector<StartupResult> results_of(std::span<const Raced> raced, const std::optional<Raced>& beyond) {
    using Kind = StartupResult::Kind;
    std::vector<StartupResult> found;
    if (raced.empty()) return found;
    const auto& [least, first] = raced.front();
    found.push_back({{0, least}, first, first.leads() ? Kind::seen : Kind::lost});
    for (std::size_t i = 1; i < raced.size(); ++i) add_between(raced[i - 1], raced[i], raced[i].bytes, found);
    const auto& [bytes, pace] = raced.back();
    if (beyond) {
        const bool leads = beyond->pace.leads();
        add_between(raced.back(), *beyond, leads ? beyond->bytes / 2 : beyond->bytes, found);
        if (leads)
            found.push_back(
                {{beyond->bytes / 2 + 1}, {beyond->pace.native / 2, beyond->pace.shared / 2}, Kind::hoped});
        return found;
    }
    if (bytes == 0 || !pace.leads()) return found;
    if (!pace.leads_by_far()) {
        found.push_back({{bytes + 1}, pace, Kind::hoped});
        return found;
    }
    const Pace twice{2 * pace.native, 2 * pace.shared};
    found.push_back({{bytes + 1, 2 * bytes}, twice});
    found.push_back({{2 * bytes + 1}, twice, Kind::hoped});
    return found;
}

const StartupResult* StartupResults::find(Collective collective, Bytes bytes) const {
    const auto by_size = found.find(collective);
    return by_size == found.end() ? nullptr : by_size->second.find(bytes);
}

}  // namespace echelon
