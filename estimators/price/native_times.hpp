// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/price/contention.hpp"
#include "estimators/price/likenesses.hpp"
#include "estimators/profile/samples.hpp"
#include "groups/layout.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace echelon {

/// What the MPI library's own collectives take on any communicator, by what a profile has of some: a library is no
/// model, but it does the same on ranks that are alike.
class NativeTimes {
public:
    explicit NativeTimes(const Profile& profile);

    using Time = Likenesses::Time;
    /// Of p ranks so far apart: on a line, in logarithms, between the nearest smaller and larger numbers of
    /// ranks that were measured inside a node, over nodes, or over sites, as these are; beyond them time grows with log p.
    /// Nullopt: the profile has none of that collective; or of one node only, where there are several, or the other way
    /// round.
    std::optional<Time> operator()(Collective collective, int p, Extent extent, Bytes bytes) const;
    /// By times measured on the same ranks; beyond the largest size they grow as a message does. Requires: not empty.
    Time of(const Curve& times, Extent extent, Bytes bytes) const;
    /// What tells more where ranks are not alike.
    const Likenesses& likenesses() const { return likenesses_; }

private:
    struct Place {
        std::string layout;
        int p;
        Extent extent;
        Curve times = {};
    };
    std::map<Collective, std::vector<Place>> places_;
    std::optional<Machine> machine_;  // nothing: not measured
    Likenesses likenesses_;
};

}  // namespace echelon
