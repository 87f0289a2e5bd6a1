// SPDX-License-Identifier: Apache-2.0
#include "estimators/traffic.hpp"

#include <algorithm>

namespace echelon {

std::vector<Bytes> bytes_leaving(const PackedSchedule& schedule, std::span<const int> nodes) {
    const int count = nodes.empty() ? 0 : *std::max_element(nodes.begin(), nodes.end()) + 1;
    std::vector<Bytes> leaving(static_cast<std::size_t>(count), 0);
    for (const auto& message : schedule.messages) {
        const int from = nodes[message.from], to = nodes[message.to];
        if (from != to) leaving[std::size_t(from)] += schedule.shapes[message.shape].bytes;
    }
    return leaving;
}

}  // namespace echelon
