// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace echelon {

/// Contributions of ranks. The result over any number of ranks is known without communication: element i of
/// rank r is a(i) + b(r) c(i), all positive, the b(r) of the first 1009 ranks all different. Integer sums of
/// up to 4096 ranks fit into an int; floating-point elements are thirds, which forces rounding.
class Operands {
public:
    enum class Type { int_, float_, double_ };
    enum class Op { sum, max, min };

    Operands(Type type, Op op, int p);

    /// Fills `count` elements with the contribution of `rank`.
    void fill(void* elements, std::size_t count, int rank) const;
    /// True if `count` elements hold the contribution of `rank`, from its element `first` on.
    bool is_contribution(const void* elements, std::size_t count, int rank, std::size_t first = 0) const;
    /// True if `count` elements hold the result over all ranks, from its element `first` on: exactly, but
    /// floating-point sums within the rounding errors of p - 1 additions in any order.
    bool is_result(const void* elements, std::size_t count, std::size_t first = 0) const;

private:
    Type type_;
    Op op_;
    int p_;
    double weights_;  // op over b(0), b(1), ...
};

std::string_view name(Operands::Type type);
std::string_view name(Operands::Op op);
std::optional<Operands::Type> type_named(std::string_view text);
std::optional<Operands::Op> op_named(std::string_view text);

std::size_t size_of(Operands::Type type);

/// Fills memory with bytes that neither is_contribution() nor is_result() accepts.
void poison(void* elements, std::size_t bytes);

}  // namespace echelon
