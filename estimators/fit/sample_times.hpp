// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/predictor.hpp"
#include "estimators/profile/profile.hpp"
#include "groups/layout.hpp"

#include <map>
#include <memory>

namespace echelon {

/// Times of measured calls by a machine's model, each on the layout of its measurement. The machine must
/// outlive this object. Not thread-safe.
class SampleTimes {
public:
    explicit SampleTimes(const Machine& machine) : machine_(machine) {}
    /// Samples in the layout of `placement` are replayed on `placement` itself.
    SampleTimes(const Machine& machine, const Placement& placement);

    /// True if the placement of every rank of a sample in this layout is known.
    bool knows_ranks(const std::string& layout) const { return layout == given_ || tells_every_rank(layout); }
    /// Time of a sample by a replay of the whole or by the sum of phases. Unknown placements follow
    /// placement_of_layout(). Both return nullopt if the recipe has native parts or cannot serve, or if the
    /// layout is invalid: samples may come from a file.
    std::optional<Seconds> whole(const Sample& sample);
    std::optional<Seconds> sum(const Sample& sample);
    /// Stores a time that another model of this machine found on the given placement, for the operations of
    /// samples. Requires: a placement was given.
    void remember(const Recipe& recipe, Collective collective, Bytes bytes, Seconds whole);
    /// Number of messages replayed in total.
    std::size_t messages() const;

private:
    /// Model for the sample's layout; nullptr if the layout is invalid or has another number of ranks.
    Predictor* of(const Sample& sample);

    const Machine& machine_;
    std::string given_ = {};                                                     // layout; empty: none
    std::map<std::string, std::pair<int, std::unique_ptr<Predictor>>> layouts_;  // with their ranks
};

}  // namespace echelon
