// SPDX-License-Identifier: Apache-2.0
#include "measure/look.hpp"

#include "estimators/fit/fit_machine.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/measure_machine.hpp"

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
    bool enough = true;
    try {
        profile->parameters = fit_machine(measure_machine(comm, placement, start, longest, Look::brief));
    } catch (const MpiError&) {
        throw;
    } catch (const Error&) {
        enough = false;  // too little was found out in time
    }
    // As rank 0 sees it, which goes by it.
    if (broadcast(enough ? "enough" : "", state.user()).empty()) return;
    if (enough && placement.node_count() > 1) state.process().prior_machine().look(*profile->parameters);
    state.set_profile(std::move(profile), true);
}

}  // namespace echelon
