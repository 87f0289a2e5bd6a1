// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/predictor.hpp"
#include "estimators/profile/samples.hpp"
#include "groups/placement.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace echelon {

/// What families of recipes take of the model's word on one communicator, by a profile's corrections: those of the
/// nearest number of ranks with about as many of them a node, and on several sites only where these are.
class FamilyFactors {
public:
    FamilyFactors(const Profile& profile, const Placement& placement);

    struct Factor {
        double value;
        /// How far off that may be, as a share; nothing where the family was never measured: then the value is the
        /// middle of all families, the model's own bias, which it shares.
        std::optional<double> error = {};
    };
    /// Nullopt: nothing of that collective is known.
    std::optional<Factor> operator()(Collective collective, const Recipe& recipe, Bytes bytes, Word of) const;

private:
    using ByWord = std::array<Curve, 2>;  // what the factors are of

    struct Family {
        ByWord factors;
        double octaves = 0;
        /// How much of a factor is the family's own, in logarithms; the rest is that of all families.
        double own = 1;
    };
    std::map<std::pair<Collective, std::string>, Family> families_;
    std::map<Collective, ByWord> usual_;
};

}  // namespace echelon
