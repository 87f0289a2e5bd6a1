// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/decide.hpp"
#include "estimators/profile/source.hpp"
#include "hier/by_size.hpp"

#include <map>
#include <optional>
#include <vector>

namespace echelon {

/// Answers for the calls on one communicator: the user's rules in the profile, then its learned decisions,
/// then the decider, which communicators of one placement may share. Gives the same answer on all ranks.
class Advisor {
public:
    explicit Advisor(std::shared_ptr<Decider> decider) : decider_(std::move(decider)) {}
    Advisor(std::shared_ptr<const Profile> profile, Placement placement)
        : Advisor(std::make_shared<Decider>(std::move(profile), std::move(placement))) {}

    struct Advice {
        Recipe recipe = {};
        /// profile_rule, profile_decision or model.
        Source source = Source::model;
        /// Why a matching rule cannot serve; empty if no rule was refused.
        std::string refusal = {};
        /// Times of the recipe and of the native collective, measured or interpolated; 0 if unknown.
        Seconds seconds = 0, native_seconds = 0;
    };
    Advice advise(Collective collective, Bytes bytes, Operation operation);
    /// Ground of the advice. A rule, a learned decision or a policy other than `model` counts as `decided`.
    Decider::Ground ground(Collective collective, Bytes bytes, Operation operation);

    /// Recipes that may be faster than the model's choice.
    const std::vector<Recipe>& rivals(Collective collective, Bytes bytes, Operation operation) {
        return decider_->chosen(collective, bytes, operation, policy(collective, bytes)).rivals;
    }

    /// Sets the policy for calls of these sizes. A later policy overrides an earlier one.
    void set_policy(Collective collective, ByteRange sizes, Policy policy);
    Policy policy(Collective collective, Bytes bytes) const;

    Decider& decider() { return *decider_; }
    const std::shared_ptr<Decider>& shared_decider() const { return decider_; }
    const Profile& profile() const { return decider_->profile(); }

private:
    /// A matching rule or learned decision; nullopt if there is none. `refusal` receives the reason why a
    /// rule cannot serve.
    std::optional<Advice> written(Collective collective, Bytes bytes, Operation operation,
                                  std::string& refusal) const;
    bool serves(const Recipe& recipe, Collective collective, Operation operation, std::string& why) const;

    std::shared_ptr<Decider> decider_;
    std::map<Collective, BySize<Policy>> policies_;
};

}  // namespace echelon
