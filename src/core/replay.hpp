// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/expression.hpp"
#include "core/program.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace echelon {

/// A symbolic element: which element of the vector it is (combining different ones is an error) and who
/// contributed.
struct Symbol {
    Expressions::Id value = Expressions::undefined;
    std::uint32_t element = 0;
    friend bool operator==(const Symbol&, const Symbol&) = default;
};

/// The memory of one rank: data, input, scratch.
using SymbolicMemory = std::array<std::vector<Symbol>, 3>;

/// Which of a rank's strands runs as far as it can before the others.
enum class Ahead { first_strand, last_strand };

/// Runs a schedule on symbolic memories, every send synchronous. Returns what went wrong, if anything did. `barrier`: no rank may
/// end before it has heard, directly or through others, that every rank began.
std::optional<std::string> replay(const Schedule& schedule, Expressions& expressions,
                                  std::vector<SymbolicMemory>& memory, Ahead ahead, bool barrier);

}  // namespace echelon
