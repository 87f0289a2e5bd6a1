// SPDX-License-Identifier: Apache-2.0
#include "measure/look.hpp"

#include "core/error.hpp"
#include "measure/measured_parameters.hpp"

#include <memory>

namespace echelon {

void look_at_machine(State& state) {
    constexpr double longest = 0.03;  // the last question may take longer than its share
    state.machine().set_looked_at();
    const MPI_Comm comm = state.own().comm();
    if (comm == MPI_COMM_NULL) return;
    CommonStart start(comm, {.notice = 50e-6, .longest_notice = 2e-3, .attempts = 2});
    if (start.crowded()) return;
    // There is no time for more than the network between nodes.
    const Placement placement = state.own().placement(true, true).without_switches();
    auto profile = std::make_shared<Profile>();
    try {
        profile->parameters = measured_parameters(comm, placement, start, longest, Look::brief);
    } catch (const MpiError&) {
        throw;
    } catch (const Error&) {
        return;  // too little was found out in time
    }
    if (placement.node_count() > 1) state.process().prior_machine().look(*profile->parameters);
    state.set_profile(std::move(profile), true);
}

}  // namespace echelon
