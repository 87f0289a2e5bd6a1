// SPDX-License-Identifier: Apache-2.0
#include "front/crowd.hpp"

#include "cache/state.hpp"
#include "front/choose.hpp"

namespace echelon {

void lead_in_crowd(Process& process) {
    if (process.world().roll() == nullptr || !process.world().roll()->is_spinning_crowd()) return;
    State* const state = State::of(MPI_COMM_WORLD);
    if (state == nullptr || !is_open_to_shared_memory(*state)) return;
    constexpr Bytes most = Bytes(1) << 20;
    constexpr double share_of_native = 0.05;  // docs/results/one_node.md
    const Seconds native = seconds(rough_here(*state).call(most));
    Leads& leads = process.leads();
    leads.everywhere = true;
    for (const Collective collective : all_collectives)
        leads.found[collective].add({0, most}, {{0, most}, {native, share_of_native * native}});
    const PlanKey any{.collective = Collective::allreduce,
                      .in_order = false,
                      .exact = true,
                      .root = 0,
                      .element_size = 1,
                      .count = 1};
    state->own().provide(shared_memory(), any, OwnSide::Purpose::trial);
}

}  // namespace echelon
