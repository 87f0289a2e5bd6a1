// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace echelon {

/// What ranks contribute, chosen so that the result of any number of ranks is known without communication:
/// element i of rank r is a(i) + b(r) c(i), all positive, the b(r) of the first 1009 ranks all different.
/// Their integer sums of up to 4096 ranks fit into an int; floating numbers are thirds, so that they must be
/// rounded.
class Operands {
public:
    enum class Type { int_, float_, double_ };
    enum class Op { sum, max, min };

    Operands(Type type, Op op, int p);

    /// Fills `count` elements with the contribution of `rank`.
    void fill(void* elements, std::size_t count, int rank) const;
    /// Whether `count` elements hold the contribution of `rank`, from its element `first` on ...
    bool is_contribution(const void* elements, std::size_t count, int rank, std::size_t first = 0) const;
    /// ... or the result over all ranks: exactly, floating sums up to the rounding that any order of p - 1
    /// additions can cause.
    bool is_result(const void* elements, std::size_t count, std::size_t first = 0) const;

private:
    Type type_;
    Op op_;
    int p_;
    double weights_;  // what op makes of b(0), b(1), ...
};

std::string_view name(Operands::Type type);
std::string_view name(Operands::Op op);
std::optional<Operands::Type> type_named(std::string_view text);
std::optional<Operands::Op> op_named(std::string_view text);

std::size_t size_of(Operands::Type type);

/// Nothing that is_contribution() or is_result() would take for right.
void poison(void* elements, std::size_t bytes);

}  // namespace echelon
