// SPDX-License-Identifier: Apache-2.0
#include "fuzz/defects.hpp"

#include "fuzz/operation.hpp"
#include "fuzz/sides.hpp"

#include <algorithm>
#include <bit>
#include <climits>

namespace fuzz {
namespace {

/// Bytes in MPI_Type_size's count.
long message_bytes(const Map& map) {
    long sum = 0;
    for (const Piece& piece : map.pieces) sum += basics()[std::size_t(piece.basic)].size;
    return sum;
}

bool commutes(const Step& step) {
    return step.op < 100 || user_operations()[std::size_t(step.op - 100)].commutes;
}

}  // namespace

#ifdef MPICH_VERSION
namespace {

bool reduce_scatters(const Step& step) {
    return step.call == Call::reduce_scatter || step.call == Call::reduce_scatter_block;
}

Map receive_map(const Step& step) { return map_of(describe(step, SideOf::receive, 0, 1, false).layout); }

/// True for a predefined pair with gaps.
bool has_gaps(const Basic& basic) { return basic.size != basic.extent; }

/// receive_across_fragments.c: messages may hold the blocks of several ranks. gather_long_double_complex.c:
/// the type acts like one with gaps if blocks of one message lie apart.
bool crosses_fragments(const Step& step, int ranks) {
    const Basic& basic = basics()[std::size_t(step.basic)];
    const bool apart = step.call == Call::gather && basic.type == MPI_C_LONG_DOUBLE_COMPLEX;
    if (step.style == Style::basic && !has_gaps(basic) && !apart) return false;
    return message_bytes(receive_map(step)) * step.count * ranks > 8192;
}

/// reduce_scatter_overlap.c: the result overlaps the front of the vector, to which it is copied.
bool copies_onto_itself(const Step& step, int ranks) {
    if (step.call != Call::reduce_scatter || !step.in_place || !commutes(step)) return false;
    const std::vector<int> counts = scatter_counts(step, ranks);
    long before = 0;
    bool overlap = false;
    for (std::size_t rank = 0; rank < counts.size(); before += counts[rank++])
        overlap = overlap || (rank > 0 && before < counts[rank]);
    return overlap && message_bytes(receive_map(step)) * before >= 512 << 10;
}

/// allgather_wide.c: the place of another rank's block exceeds an int.
bool leaves_an_int(const Step& step, int ranks) {
    if (step.call != Call::allgather || step.style != Style::wide || (ranks & (ranks - 1)) != 0) return false;
    for (int rank = 0; rank < ranks; ++rank) {
        const Side receive = *sides_of(step, rank, ranks).receive;
        if (receive.map.extent * receive.counts[0] * (ranks - 1) > INT_MAX) return true;
    }
    return false;
}

}  // namespace
#endif

#ifdef OPEN_MPI
namespace {

/// gather_overlapping.c: other ranks' data lie in this rank's send type on their way to the root.
bool gathers_in_overlapping_type(const Step& step, int ranks) {
    if (step.call != Call::gather || step.style < Style::differing) return false;
    for (int rank = 0; rank < ranks; ++rank)
        if (const auto send = sides_of(step, rank, ranks).send;
            rank != step.root % ranks && overlaps(send->map, long(send->counts[0]) * ranks))
            return true;
    return false;
}

/// packed_resized.c
bool is_made_from_packed(const Layout& layout) {
    using enum Layout::Kind;
    if (layout.kind == basic) return basics()[std::size_t(layout.numbers[0])].type == MPI_PACKED;
    return (layout.kind == resized || layout.kind == duplicate) && is_made_from_packed(layout.parts[0]);
}

/// receive_partial_long_double_complex.c: bytes of a fragment.
constexpr long fragment = 4000;

bool has_large_basics(const Map& map) {
    return std::any_of(map.pieces.begin(), map.pieces.end(),
                       [](const Piece& piece) { return basics()[std::size_t(piece.basic)].size > 16; });
}

}  // namespace
#endif

Step spared(Step step, [[maybe_unused]] int ranks) {
#ifdef MPICH_VERSION
    // reduce_in_place.c: a crash, in place at a root other than 0, if the operation commutes.
    if (step.call == Call::reduce && step.in_place && commutes(step)) step.root = 0;
    // reduce_scatter_gaps.c: memory overwritten, if the operation does not commute and elements have gaps.
    if (reduce_scatters(step) && !commutes(step) &&
        (step.style != Style::basic || has_gaps(basics()[std::size_t(step.basic)])))
        --step.op;
    // receive_across_fragments.c: reductions send elements of derived types unpacked.
    if (reduces(step.call) && step.style != Style::basic) {
        const long element = message_bytes(map_of(describe(step, SideOf::send, 0, 1, false).layout));
        step.count = std::min(step.count, 8192 / std::max(element * (reduce_scatters(step) ? ranks : 1), 1L));
    }
    // reduce_scatter_overlap.c: a crash.
    if (copies_onto_itself(step, ranks)) step.in_place = 0;
    // allgather_wide.c: a crash.
    if (leaves_an_int(step, ranks)) step.style = Style::differing;
    // allgatherv_layouts.c: errors, or a hang.
    if (step.call == Call::allgatherv && step.style == Style::differing) step.style = Style::derived;
    // alltoall_of_one.c, neighbours_of_one.c: a hang if a receive from anyone is posted.
    const bool all_to_all = step.call == Call::alltoall || step.call == Call::alltoallv ||
                            step.call == Call::alltoallw || step.pending == 5;  // ialltoall
    if ((all_to_all || step.near != 0) && ranks == 1 && step.wildcard == 1) step.wildcard = 0;
    // persistent_allgather.c: no result from the second start on.
    const bool loses_data = (ranks & (ranks - 1)) == 0;
    if (step.pending == 4 && loses_data) step.persistent = 0;
    // persistent_gather.c: wrong data.
    const bool is_wrong = step.call == Call::gather || step.call == Call::scatter ||
                          (step.call == Call::allgather && loses_data);
    if (step.way == Way::persistent && is_wrong) step.way = Way::nonblocking;
#endif
#ifdef OPEN_MPI
    // allreduce_lower_bound.c: memory overwritten, from 4 KB on; if there is an element for each rank, also
    // below 16 bytes, and on many ranks at any size.
    if (step.call == Call::allreduce && step.style != Style::basic && commutes(step)) {
        const Map map = map_of(describe(step, SideOf::send, 0, 1, false).layout);
        if (map.first != 0 || step.style != Style::derived) {
            step.count = std::min(step.count, 4095 / message_bytes(map));
            if (step.count * message_bytes(map) < 16 || ranks > 12)
                step.count = std::min(step.count, long(ranks) - 1);
        }
    }
    // ireduce_lower_bound.c: memory overwritten, if each rank of a power of two has an element.
    const bool is_started = step.way == Way::nonblocking || step.way == Way::persistent;
    if (step.call == Call::reduce && is_started && step.style != Style::basic && commutes(step) &&
        ranks > 2) {
        const Map map = map_of(describe(step, SideOf::send, 0, 1, false).layout);
        if (map.first != 0 || step.style != Style::derived)
            step.count = std::min(step.count, long(std::bit_floor(unsigned(ranks))) - 1);
    }
    // alltoall_layouts.c: memory overwritten, too, by Bruck's algorithm. Types with another base address also
    // differ.
    if (step.call == Call::alltoall && ranks > 12) {
        if (step.style == Style::differing) step.style = Style::derived;
        step.base = 0;
    }
    // ialltoall_addresses.c: wrong data, persistent calls as well.
    if (is_started) step.base = 0;
    // receive_partial_long_double_complex.c: memory overwritten.
    if (step.style != Style::basic && step.call != Call::barrier) {
        const Map map = map_of(describe(step, SideOf::send, 0, 1, false).layout);
        if (has_large_basics(map)) step.count = std::min(step.count, fragment / (message_bytes(map) * ranks));
    }
    // gather_wide.c: a hang.
    if (step.call == Call::gather && step.style == Style::wide) step.style = Style::differing;
    // free_under_barrier.c: a crash if a communicator is freed with a barrier under way.
    if (step.act == Act::drop) step.pending = 0;
    // allgather_no_communicator.c: a crash.
    if (step.act == Act::wrong && step.call == Call::allgather && step.wrong == Wrong::comm)
        step.wrong = Wrong::type;
#endif
    return step;
}

bool is_known_defect([[maybe_unused]] const Step& step, [[maybe_unused]] int ranks) {
#ifdef MPICH_VERSION
    // reduce_scatter_in_place.c: memory behind the result changes.
    if (reduce_scatters(step) && step.in_place) return true;
    if (crosses_fragments(step, ranks)) return true;
#endif
#ifdef OPEN_MPI
    // reduce_scatter_in_place_ordered.c: memory behind the result on rank 0 changes; not in the
    // nonblocking form.
    if (step.call == Call::reduce_scatter && step.in_place &&
        (!commutes(step) || step.way == Way::nonblocking))
        return true;
    if (gathers_in_overlapping_type(step, ranks)) return true;
#endif
    return false;
}

bool is_known_error([[maybe_unused]] const Step& step, [[maybe_unused]] int ranks,
                    [[maybe_unused]] int code) {
#ifdef MPICH_VERSION
    int of_class = MPI_SUCCESS;
    MPI_Error_class(code, &of_class);
    // Some collectives continue, and return no specific class at the end.
    return (of_class == MPI_ERR_TRUNCATE || of_class == MPI_ERR_OTHER) && crosses_fragments(step, ranks);
#else
    return false;
#endif
}

bool is_known_defect([[maybe_unused]] const Layout& layout) {
#ifdef OPEN_MPI
    if (layout.kind != Layout::Kind::basic && is_made_from_packed(layout)) return true;
    // vector_backwards.c
    if ((layout.kind == Layout::Kind::vector || layout.kind == Layout::Kind::hvector) &&
        layout.numbers[0] > 1) {
        const std::ptrdiff_t unit = layout.kind == Layout::Kind::vector ? map_of(layout.parts[0]).extent : 1;
        if (layout.numbers[2] * unit == -1) return true;
    }
    return std::any_of(layout.parts.begin(), layout.parts.end(),
                       [](const Layout& part) { return is_known_defect(part); });
#else
    return false;
#endif
}

}  // namespace fuzz
