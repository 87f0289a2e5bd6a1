// SPDX-License-Identifier: Apache-2.0
#include "flat/operands_at_once.hpp"
#include "flat/reduce.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// Space in which the root receives messages at once.
constexpr Bytes most_space = Bytes(256) << 10;

}  // namespace

/// A flat tree; the root receives from all others at once, within 256 KiB of space. If messages overlap, it
/// takes a single latency.
///
/// Cost, one message at a time: (p - 1)(alpha + n (beta + gamma)).  Needs: space for p - 1 vectors, limited
/// to 256 KiB or one vector, the larger of the two.
void reduce_linear(Link& link, const Args& args) {
    if (link.rank() != args.root) return link.send(args.root, args.data);
    const Bytes each = std::max<Bytes>(Bytes(args.data.count) * link.element_size(), 1);
    OperandsAtOnce(link, args.data, std::max<std::size_t>(most_space / each, 1), args.in_order).combine();
}

Cost reduce_linear_cost(const Problem& problem) {
    return ((problem.p - 1) * Cost{1, double(problem.bytes), double(problem.bytes)}).with_latencies(1);
}

}  // namespace echelon
