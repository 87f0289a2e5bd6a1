// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan_key.hpp"
#include "cache/private_communicator.hpp"
#include "estimators/choice/advisor.hpp"
#include "estimators/profile/late_profile.hpp"
#include "tuner/shared_tuning.hpp"

#include <memory>
#include <string>

namespace echelon {

/// The machine under a communicator: its profile, and the advice that follows from it. Equal on all ranks.
class KnownMachine {
public:
    /// The arguments must outlive this.
    KnownMachine(Process& process, SharedTuning& shared, PrivateCommunicator& own)
        : process_(process), shared_(shared), own_(own) {}

    bool has_profile() const { return profile_ != nullptr; }
    /// The profile; nullptr if there is none.
    std::shared_ptr<const Profile> profile() const { return has_profile() ? profile_->get() : nullptr; }
    /// Collective if MPI_Init was not seen.
    void set(std::shared_ptr<const LateProfile> profile);
    /// True if the profile has times, findings or rules for the collective.
    bool knows(Collective collective) const { return has_profile() && profile_->knows(collective); }
    /// The profile says nothing about calls whose ranks know only their own blocks.
    bool knows(const PlanKey& key) const { return !key.own_lengths() && knows(key.collective); }

    /// The layout of the ranks, under which findings are kept. Collective on first use, unless
    /// placement(true, ...) was called.
    std::string layout();

    /// The advice of the profile; nullptr without one. Collective on first use, unless placement(true, true)
    /// was called.
    Advisor* advisor();
    Advisor* advisor(const PlanKey& key) { return key.own_lengths() ? nullptr : advisor(); }

private:
    Process& process_;
    SharedTuning& shared_;
    PrivateCommunicator& own_;
    std::shared_ptr<const LateProfile> profile_;
    std::unique_ptr<Advisor> advisor_;
};

}  // namespace echelon
