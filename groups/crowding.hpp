// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace echelon {

/// Processors of a node as bits: processor i is bit i % 64 of word i / 64.
using ProcessorSet = std::vector<std::uint64_t>;

/// Whether not each of a node's ranks can have a processor of its own among those that it may use: two bound to one are a
/// crowd on the largest node.
bool is_crowded(std::span<const ProcessorSet> allowed);

}  // namespace echelon
