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

std::vector<Lead> leads_of(std::span<const Raced> raced) {
    std::vector<Lead> found;
    const Raced* last = nullptr;
    for (const Raced& one : raced) {
        if (!one.pace.leads()) return found;
        if (last == nullptr) {
            found.push_back({{0, one.bytes}, one.pace});
        } else {
            for (Bytes from = last->bytes, to = 0; from < one.bytes; from = to) {
                to = std::min(2 * from, one.bytes);
                found.push_back({{from + 1, to}, between(to, *last, one)});
            }
        }
        last = &one;
    }
    if (last != nullptr && last->bytes > 0 && last->pace.leads_by_far())
        found.push_back({{last->bytes + 1, 2 * last->bytes}, {2 * last->pace.native, 2 * last->pace.shared}});
    return found;
}

}  // namespace echelon
