// SPDX-License-Identifier: Apache-2.0
#include "core/blocks.hpp"
#include "flat/scan.hpp"

namespace echelon {

/// Chain: every rank receives the combination of the ranks before it, adds its own vector and passes it on.
/// Cut into s segments it is a pipeline: a rank passes one segment on while the next arrives.
///
/// Cost: (p + s - 2) (alpha + n/s beta + n/s gamma).  Needs: nothing.
void scan_chain(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    const Segments segments(args.data, segment_elements(args.segment, link.element_size()));
    Link::Ticket sending = Link::Ticket::none;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (me > 0) link.receive_reduce(me - 1, segments[i], Side::before);
        link.wait(sending);
        if (me + 1 < p) sending = link.start_send(me + 1, segments[i]);
    }
    if (me + 1 < p) link.wait(sending);
}

Cost scan_chain_cost(const Problem& problem) {
    if (problem.p == 1) return {};
    const Segments segments({0, problem.bytes}, problem.segment);
    const double length = double(problem.bytes) / double(segments.size());
    return ((problem.p + double(segments.size()) - 2) * Cost{1, length, length})
        .with_latencies(problem.p - 1);
}

}  // namespace echelon
