// SPDX-License-Identifier: Apache-2.0
#include "measure/look.hpp"

#include "estimators/fit/fit_machine.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/measure_machine.hpp"

#include <memory>

namespace echelon {

void look_at_machine(Tuner& tuner) {
    constexpr double longest = 0.03;  // the last measurement may exceed its share
    tuner.machine().set_looked_at();
    const MPI_Comm comm = tuner.own().comm();
    if (comm == MPI_COMM_NULL) return;
    CommonStart start(comm, {.notice = 50e-6, .longest_notice = 2e-3, .attempts = 2});
    if (start.crowded()) return;
    // The time suffices for one network between nodes only.
    const Placement placement = tuner.own().placement(true, true).without_switches();
    auto profile = std::make_shared<Profile>();
    bool enough = true;
    try {
        profile->parameters = fit_machine(measure_machine(comm, placement, start, longest, Look::brief));
    } catch (const MpiError&) {
        throw;
    } catch (const Error&) {
        enough = false;  // too few samples in time
    }
    // Rank 0 decides.
    if (broadcast(enough ? "enough" : "", tuner.user()).empty()) return;
    if (enough && placement.node_count() > 1) tuner.shared().prior_machine().look(*profile->parameters);
    tuner.set_profile(std::move(profile), true);
}

}  // namespace echelon
