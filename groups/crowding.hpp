// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace echelon {

/// Processors of a node as a bit set: processor i is bit i % 64 of word i / 64.
using ProcessorSet = std::vector<std::uint64_t>;

/// True if the node is oversubscribed: its ranks cannot each have a processor of their own among the allowed
/// ones. Two ranks that are bound to one processor are oversubscribed on any node.
bool is_crowded(std::span<const ProcessorSet> allowed);

}  // namespace echelon
