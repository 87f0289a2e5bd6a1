// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/decide.hpp"

#include <map>

namespace echelon {

/// What a profile makes of the calls on one communicator: the user's rules in it, what was found best here,
/// and the model with the measured times. The same on all ranks. A call's size class is asked for once.
class Advisor {
public:
    Advisor(std::shared_ptr<const Profile> profile, Placement placement);

    /// Who chose.
    enum class From : std::uint8_t { rule, learned, estimator };
    struct Advice {
        Recipe recipe = {};
        From from = From::estimator;
        /// Of rules that match and cannot serve, and why; empty: all is as written.
        std::string refusal = {};
    };
    Advice operator()(Collective collective, Bytes bytes, Operation operation);

    /// What could be better than the estimator's choice by what is not known exactly: the cheapest of other
    /// classes whose time, at its best, is below the chosen one's.
    const std::vector<Recipe>& rivals(Collective collective, Bytes bytes, Operation operation);

    /// Calls of such sizes are decided by this policy from now on. Later ones win.
    void set_policy(Collective collective, Sizes sizes, Policy policy);
    Policy policy(Collective collective, Bytes bytes) const;

    Decider& decider() { return decider_; }
    const Profile& profile() const { return *profile_; }

    /// The size whose decision holds for a call: eight to each power of two.
    static Bytes size_class(Bytes bytes);

private:
    bool serves(const Recipe& recipe, Collective collective, Operation operation, std::string& why) const;

    struct Asked {
        Collective collective;
        Bytes bytes;
        bool in_order, exact;
        Policy policy;
        auto operator<=>(const Asked&) const = default;
    };
    struct Named {
        Collective collective;
        Sizes sizes;
        Policy policy;
    };
    std::shared_ptr<const Profile> profile_;
    Decider decider_;
    std::vector<Named> policies_;
    struct Decided {
        Recipe recipe = {};
        std::vector<Recipe> rivals = {};
    };
    const Decided& decided(Collective collective, Bytes bytes, Operation operation);
    std::map<Asked, Decided> decided_;
};

std::string_view name(Advisor::From from);

}  // namespace echelon
