// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/predictor.hpp"
#include "estimators/profile/profile.hpp"
#include "groups/layout.hpp"

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

    /// Where every rank of such a sample was is known.
    bool knows_ranks(const std::string& layout) const { return layout == given_ || tells_every_rank(layout); }
    /// Where that is not known, they are taken to sit as placement_of_layout says. Nullopt for what has native parts, cannot serve, or names no layout: samples may come from a file.
    std::optional<Seconds> whole(const Sample& sample);
    std::optional<Seconds> sum(const Sample& sample);
    /// What another model of this machine has found on the placement that was given, for operations as samples are of. Requires: one was.
    void remember(const Recipe& recipe, Collective collective, Bytes bytes, Seconds whole);
    /// Replayed so far.
    std::size_t messages() const;

private:
    /// Nullptr: its layout is none, or of other ranks.
    Predictor* of(const Sample& sample);

    const Machine& machine_;
    std::string given_ = {};                                                     // layout; empty: none
    std::map<std::string, std::pair<int, std::unique_ptr<Predictor>>> layouts_;  // with their ranks
};

}  // namespace echelon
