// SPDX-License-Identifier: Apache-2.0
#include "tuner/prior_machine.hpp"

#include "estimators/profile/built_in_machine.hpp"

namespace echelon {

std::shared_ptr<const Profile> PriorMachine::profile(Known known, bool window) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<const Profile>& made = made_[{known, window}];
    if (made != nullptr) return made;
    Machine machine = built_in_machine(window, world_.seen_link().value_or(usual_link));
    if (looked_at_ && known == Known::by_looks) {
        // A brief calibration measures neither sites nor windows: these values stay.
        const Machine& seen = looked_at_->machine;
        machine.between = seen.between;
        machine.card = seen.card;
        if (looked_at_->inside_is_measured) {
            machine.inside = seen.inside;
            machine.memory = seen.memory;
        }
        machine.gamma = seen.gamma;
        machine.copy = seen.copy;
    }
    return made = std::make_shared<const Profile>(
               Profile{.parameters = Parameters{.machine = std::move(machine)}});
}

void PriorMachine::look(const Parameters& found) {
    const std::scoped_lock lock(mutex_);
    looked_at_ = found;
    made_.clear();
}

bool PriorMachine::was_looked_at() const {
    const std::scoped_lock lock(mutex_);
    return looked_at_.has_value();
}

}  // namespace echelon
