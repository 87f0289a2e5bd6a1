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

/// Ratios of measured to predicted time of recipe families on one communicator, from a profile's corrections.
/// Corrections of the nearest number of ranks with a similar number of ranks per node apply. A communicator
/// of several sites uses only corrections of several sites; a communicator of one site uses only corrections
/// of one site.
class FamilyFactors {
public:
    FamilyFactors(const Profile& profile, const Placement& placement);

    struct Factor {
        double value;
        /// Relative error; nullopt if the family was never measured. Then `value` is the median of all
        /// families, the bias of the model itself.
        std::optional<double> error = {};
    };
    /// Returns nullopt if the collective has no corrections.
    std::optional<Factor> operator()(Collective collective, const Recipe& recipe, Bytes bytes, Word of) const;

private:
    using ByWord = std::array<Curve, 2>;  // by Word

    struct Family {
        ByWord factors;
        double octaves = 0;
        /// Weight of the family's own factor, in logarithms; the rest is the factor of all families.
        double own = 1;
    };
    std::map<std::pair<Collective, std::string>, Family> families_;
    std::map<Collective, ByWord> usual_;
};

}  // namespace echelon
