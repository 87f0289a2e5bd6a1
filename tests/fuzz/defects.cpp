// SPDX-License-Identifier: Apache-2.0
#include "fuzz/defects.hpp"

#include "fuzz/operation.hpp"

#include <algorithm>

namespace fuzz {
#ifdef MPICH_VERSION
namespace {

Map receive_map(const Step& step) { return map_of(describe(step, SideOf::receive, 0, 1, false).layout); }

bool has_gaps(const Step& step) {
    const Map map = receive_map(step);
    return element_bytes(map) != std::size_t(map.extent);
}

/// receive_across_fragments.c: messages may hold the blocks of several ranks.
bool crosses_fragments(const Step& step, int ranks) {
    if (step.style == Style::basic) return false;
    const std::size_t element = element_bytes(receive_map(step));
    return element * std::size_t(step.count) * std::size_t(ranks) > 8192;
}

}  // namespace
#endif

Step spared(Step step, [[maybe_unused]] int ranks) {
#ifdef MPICH_VERSION
    const bool of_users = step.op >= 100;
    const bool commutes = !of_users || user_operations()[std::size_t(step.op - 100)].commutes;
    // reduce_in_place.c: a crash, in place at a root other than 0, where the operation commutes.
    if (step.call == Call::reduce && step.in_place && commutes) step.root = 0;
    // reduce_scatter_gaps.c: memory overwritten, where the operation does not commute and elements have gaps
    // between them.
    const bool scatters = step.call == Call::reduce_scatter || step.call == Call::reduce_scatter_block;
    if (scatters && of_users && !commutes && (step.style != Style::basic || has_gaps(step))) --step.op;
    // receive_across_fragments.c: reductions send elements of derived types as they are.
    if (reduces(step.call) && step.style != Style::basic) {
        const std::size_t element = element_bytes(map_of(describe(step, SideOf::send, 0, 1, false).layout));
        step.count = std::min(
            step.count, long(8192 / std::max<std::size_t>(element * std::size_t(scatters ? ranks : 1), 1)));
    }
    // allgatherv_layouts.c: errors, or it waits for ever.
    if (step.call == Call::allgatherv && step.style == Style::differing) step.style = Style::derived;
    // alltoall_of_one.c: it waits for ever where a receive from anyone is posted.
    const bool all_to_all =
        step.call == Call::alltoall || step.call == Call::alltoallv || step.call == Call::alltoallw;
    if (all_to_all && ranks == 1 && step.wildcard == 1) step.wildcard = 0;
#endif
#ifdef OPEN_MPI
    // free_under_barrier.c: a crash where a communicator is freed with a barrier under way.
    if (step.act == Act::drop) step.pending = 0;
    // allgather_no_communicator.c: a crash.
    if (step.act == Act::wrong && step.call == Call::allgather && step.wrong == Wrong::comm)
        step.wrong = Wrong::type;
#endif
    return step;
}

bool is_known_defect([[maybe_unused]] const Step& step, [[maybe_unused]] int ranks) {
#ifdef MPICH_VERSION
    // reduce_scatter_in_place.c: what lies behind the result changes.
    const bool scatters = step.call == Call::reduce_scatter || step.call == Call::reduce_scatter_block;
    if (scatters && step.in_place) return true;
    if (crosses_fragments(step, ranks)) return true;
#endif
    return false;
}

bool is_known_error([[maybe_unused]] const Step& step, [[maybe_unused]] int ranks,
                    [[maybe_unused]] int code) {
#ifdef MPICH_VERSION
    int of_class = MPI_SUCCESS;
    MPI_Error_class(code, &of_class);
    return of_class == MPI_ERR_TRUNCATE && crosses_fragments(step, ranks);
#else
    return false;
#endif
}

}  // namespace fuzz
