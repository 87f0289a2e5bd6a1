// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/decide.hpp"
#include "estimators/profile/source.hpp"
#include "hier/by_size.hpp"

#include <map>
#include <optional>
#include <vector>

namespace echelon {

/// What a profile makes of the calls on one communicator: the user's rules in it, what was found best here,
/// and the decider, which communicators of one placement may share. The same on all ranks.
class Advisor {
public:
    explicit Advisor(std::shared_ptr<Decider> decider) : decider_(std::move(decider)) {}
    Advisor(std::shared_ptr<const Profile> profile, Placement placement)
        : Advisor(std::make_shared<Decider>(std::move(profile), std::move(placement))) {}

    struct Advice {
        Recipe recipe = {};
        /// profile_rule, profile_decision or model.
        Source source = Source::model;
        /// Of rules that match and cannot serve, and why; empty: all is as written.
        std::string refusal = {};
        /// As both were measured, the recipe and the native collective; 0: they were not.
        Seconds seconds = 0, native_seconds = 0;
    };
    Advice operator()(Collective collective, Bytes bytes, Operation operation);
    /// What that goes by; decided: also what is written there, or asked for by a policy.
    Decider::Ground ground(Collective collective, Bytes bytes, Operation operation);

    /// What could be better than the model's choice.
    const std::vector<Recipe>& rivals(Collective collective, Bytes bytes, Operation operation) {
        return decider_->chosen(collective, bytes, operation, policy(collective, bytes)).rivals;
    }

    /// Calls of such sizes are decided by this policy from now on. Later ones win.
    void set_policy(Collective collective, ByteRange sizes, Policy policy);
    Policy policy(Collective collective, Bytes bytes) const;

    Decider& decider() { return *decider_; }
    const std::shared_ptr<Decider>& shared_decider() const { return decider_; }
    const Profile& profile() const { return decider_->profile(); }

private:
    /// A rule, or what was found; nullopt: there is none. What cannot serve goes into `refusal`.
    std::optional<Advice> written(Collective collective, Bytes bytes, Operation operation,
                                  std::string& refusal) const;
    bool serves(const Recipe& recipe, Collective collective, Operation operation, std::string& why) const;

    std::shared_ptr<Decider> decider_;
    std::map<Collective, BySize<Policy>> policies_;
};

}  // namespace echelon
