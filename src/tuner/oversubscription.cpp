// SPDX-License-Identifier: Apache-2.0
#include "tuner/oversubscription.hpp"

#include "tuner/requests.hpp"

namespace echelon {

void decide_oversubscribed(Process& process) {
    if (process.world().job_map() == nullptr || !process.world().job_map()->is_spinning_crowd()) return;
    State* const state = State::of(MPI_COMM_WORLD);
    if (state == nullptr || !state->serves()) return;
    Tuner& tuner = Tuner::of(*state);
    if (!is_open_to_shared_memory(tuner)) return;
    constexpr Bytes most = Bytes(1) << 20;
    constexpr double share_of_native = 0.05;  // docs/results/one_node.md
    const Seconds native = seconds(default_costs_here(tuner).call(most));
    StartupResults& results = tuner.shared().startup_results();
    results.everywhere = true;
    for (const Collective collective : all_collectives)
        results.found[collective].add({0, most}, {{0, most}, {native, share_of_native * native}});
    tuner.own().provide(shared_memory(), call_of(Collective::allreduce, 1),
                        PrivateCommunicator::Purpose::trial);
}

}  // namespace echelon
