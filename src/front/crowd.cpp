// SPDX-License-Identifier: Apache-2.0
#include "front/crowd.hpp"

#include "front/choose.hpp"

namespace echelon {

ToldChoice rather_shared_memory(Seconds native, Seconds shared) {
    const Recipe recipe = shared_memory();
    return {{.recipe = recipe, .source = Source::trial, .refusal = {}, .evidence = {native, shared}},
            {{.recipe = recipe, .expected = shared, .known = true},
             {.recipe = Recipe(), .expected = native, .seen = true}}};
}

void tell_crowd(Process& process, MPI_Comm made) {
    if (process.world().roll() == nullptr || !process.world().roll()->is_spinning_crowd()) return;
    State* const state = State::of(made);
    if (state == nullptr || !is_open_to_shared_memory(*state)) return;
    constexpr Bytes most = Bytes(1) << 20;
    constexpr double share_of_native = 0.05;  // docs/results/one_node.md
    const Seconds native = seconds(rough_here(*state).call(most));
    ToldChoice choice = rather_shared_memory(native, share_of_native * native);
    choice.choice.evidence = {};  // nobody has measured it
    for (const Collective collective : all_collectives)
        state->told().tell_range(collective, {0, most}, choice);
    const PlanKey any{.collective = Collective::allreduce,
                      .in_order = false,
                      .exact = true,
                      .root = 0,
                      .element_size = 1,
                      .count = 1};
    if (made == MPI_COMM_WORLD) state->own().provide(shared_memory(), any, OwnSide::Purpose::trial);
}

}  // namespace echelon
