// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/price/contention.hpp"
#include "estimators/price/native_surrogate.hpp"
#include "estimators/profile/samples.hpp"
#include "groups/layout.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace echelon {

/// Times of the MPI library's own collectives on any communicator, estimated from a profile's measurements on
/// some communicators. A library has no model, but it behaves alike on similar ranks.
class NativeTimes {
public:
    explicit NativeTimes(const Profile& profile);

    using Time = Likenesses::Time;
    /// Time on p ranks with the given extent. It is interpolated, in logarithms, between the nearest smaller
    /// and larger measured numbers of ranks of the same kind of extent (inside a node, over nodes, over
    /// sites). Beyond the measured numbers the time grows with log p. Empty if the profile has no measurement
    /// of that collective on one node, or on several nodes, like `extent`.
    std::optional<Time> operator()(Collective collective, int p, Extent extent, Bytes bytes) const;
    /// Time at a size, from times measured on the same ranks. Beyond the largest size they grow like the time
    /// of a message. Requires: `times` is not empty.
    Time of(const Curve& times, Extent extent, Bytes bytes) const;
    /// Better estimates for ranks unlike the measured ones.
    const Likenesses& likenesses() const { return likenesses_; }

private:
    struct Place {
        std::string layout;
        int p;
        Extent extent;
        Curve times = {};
    };
    std::map<Collective, std::vector<Place>> places_;
    std::optional<Machine> machine_;  // empty: not measured
    Likenesses likenesses_;
};

}  // namespace echelon
