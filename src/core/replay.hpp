// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/expression.hpp"
#include "core/program.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace echelon {

/// A symbolic element: its index in the vector, and its contributors. Combining elements of different indices
/// is an error.
struct Symbol {
    Expressions::Id value = Expressions::undefined;
    std::uint32_t element = 0;
    friend bool operator==(const Symbol&, const Symbol&) = default;
};

/// The memory of one rank: data, input, scratch.
using SymbolicMemory = std::array<std::vector<Symbol>, 3>;

/// The strand of a rank that runs as far as it can before the others.
enum class Ahead { first_strand, last_strand };

/// Runs a schedule on symbolic memories; every send is synchronous. Returns the fault, if there is one.
/// `barrier`: no rank may end before it knows, directly or through others, that every rank has begun.
std::optional<std::string> replay(const Schedule& schedule, Expressions& expressions,
                                  std::vector<SymbolicMemory>& memory, Ahead ahead, bool barrier);

}  // namespace echelon
