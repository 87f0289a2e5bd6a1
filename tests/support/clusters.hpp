// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"

#include <memory>

namespace echelon {

/// A cluster whose nodes share a card that carries one rank's rate.
inline Machine cluster() {
    return {
        .inside = Hockney{5e-7, 2.5e-10}, .between = Hockney{2e-5, 8e-10}, .card = 1.25e9, .gamma = 3e-10};
}

/// Clusters on sites that are far from each other.
inline Machine far_apart() {
    Machine machine = cluster();
    machine.beyond = {{.network = Hockney{1e-2, 1e-8}}};
    return machine;
}

/// Profile of a known machine, without measurements.
inline std::shared_ptr<Profile> profile_of(const Machine& machine) {
    auto profile = std::make_shared<Profile>();
    profile->parameters = Parameters{.machine = machine};
    return profile;
}

}  // namespace echelon
