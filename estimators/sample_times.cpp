// SPDX-License-Identifier: Apache-2.0
#include "estimators/sample_times.hpp"

#include "core/error.hpp"

namespace echelon {

std::optional<Seconds> SampleTimes::operator()(const Sample& sample) {
    const auto [found, is_new] = layouts_.try_emplace(sample.layout);
    if (is_new) try {
            found->second = std::make_unique<Layout>(machine_, sample.layout);
        } catch (const Error&) {
        }
    if (found->second == nullptr || found->second->terrain.p() != sample.p) return std::nullopt;
    return found->second->times(sample.recipe, sample.collective, sample.bytes, {});
}

}  // namespace echelon
