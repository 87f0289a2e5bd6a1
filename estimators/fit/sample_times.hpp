// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/predictor.hpp"
#include "estimators/profile/profile.hpp"

#include <map>
#include <memory>

namespace echelon {

/// What a machine's model says of measured calls, each on the layout that it was measured on. The machine must
/// outlive it. Not for several threads.
class SampleTimes {
public:
    explicit SampleTimes(const Machine& machine) : machine_(machine) {}
    /// What was measured in the layout of `placement` was measured on it.
    SampleTimes(const Machine& machine, const Placement& placement);

    /// Nullopt for what has native parts, cannot serve, or names no layout: samples may come from a file.
    std::optional<Seconds> whole(const Sample& sample);
    std::optional<Seconds> sum(const Sample& sample);

private:
    /// Nullptr: its layout is none, or of other ranks.
    Predictor* of(const Sample& sample);

    const Machine& machine_;
    std::map<std::string, std::pair<int, std::unique_ptr<Predictor>>> layouts_;  // with their ranks
};

}  // namespace echelon
