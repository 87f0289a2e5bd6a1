// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/late_profile.hpp"
#include "cache/own_side.hpp"
#include "cache/process.hpp"
#include "estimators/choice/advisor.hpp"

#include <memory>
#include <string>

namespace echelon {

/// What is known of the machine under a communicator: its profile, and what that makes of calls there. The same on all ranks.
class KnownMachine {
public:
    /// Both must outlive it.
    KnownMachine(Process& process, OwnSide& own) : process_(process), own_(own) {}

    bool has_profile() const { return profile_ != nullptr; }
    /// Nullptr: none.
    std::shared_ptr<const Profile> profile() const { return has_profile() ? profile_->get() : nullptr; }
    /// `brief`: it is of a machine that was looked at for an instant. Collective where MPI_Init was not seen.
    void set(std::shared_ptr<const LateProfile> profile, bool brief = false);
    /// The profile is more than that, and has times, findings or rules of such calls.
    bool knows(Collective collective) const {
        return has_profile() && !brief_ && profile_->knows(collective);
    }

    /// The layout of its ranks, as what is found on them is kept. Collective on first use, but where placement(true, ...) was asked
    /// for.
    std::string layout();

    /// It was measured briefly, or could not be.
    bool was_looked_at() const { return looked_at_; }
    void set_looked_at() { looked_at_ = true; }

    /// What the profile makes of calls. Nullptr: there is none. Collective on first use, but where placement(true, true) was
    /// asked for.
    Advisor* advisor();

private:
    Process& process_;
    OwnSide& own_;
    std::shared_ptr<const LateProfile> profile_;
    std::unique_ptr<Advisor> advisor_;
    bool looked_at_ = false, brief_ = false;
};

}  // namespace echelon
