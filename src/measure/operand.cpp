// SPDX-License-Identifier: Apache-2.0
#include "measure/operand.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace echelon {
namespace {

using Type = Operands::Type;
using Op = Operands::Op;

constexpr std::array<std::string_view, 3> type_names{"int", "float", "double"};
constexpr std::array<std::string_view, 3> op_names{"sum", "max", "min"};

template <class Enum, std::size_t n>
std::optional<Enum> named(const std::array<std::string_view, n>& names, std::string_view text) {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) return std::nullopt;
    return Enum(found - names.begin());
}

double a(std::size_t i) { return double((i * 2654435761u >> 7) & 0xFFFF) + 1; }
double c(std::size_t i) { return double((i * 40503u >> 3) & 0x3F) + 1; }
double b(int rank) { return double(1 + std::int64_t(rank) * 37 % 1009); }

/// Element i: `weight` a(i) + `weights` c(i), of one rank or of the result.
template <class T>
double value(std::size_t i, double weight, double weights) {
    return (weight * a(i) + weights * c(i)) / (std::is_integral_v<T> ? 1 : 3);
}

/// Calls `use` with a null pointer of the type that `type` stands for.
template <class Use>
auto with(Type type, Use&& use) {
    switch (type) {
        case Type::int_:
            return use(static_cast<int*>(nullptr));
        case Type::float_:
            return use(static_cast<float*>(nullptr));
        default:
            return use(static_cast<double*>(nullptr));
    }
}

template <class T>
bool holds(const void* elements, std::size_t count, std::size_t first, double weight, double weights,
           double tolerance) {
    const T* const found = static_cast<const T*>(elements);
    for (std::size_t i = 0; i < count; ++i) {
        const T expected = T(value<T>(first + i, weight, weights));
        // The negated comparison also rejects NaN.
        if (!(std::abs(double(found[i]) - double(expected)) <= tolerance * double(expected))) return false;
    }
    return true;
}

}  // namespace

std::string_view name(Type type) { return type_names[std::size_t(type)]; }
std::string_view name(Op op) { return op_names[std::size_t(op)]; }
std::optional<Type> type_named(std::string_view text) { return named<Type>(type_names, text); }
std::optional<Op> op_named(std::string_view text) { return named<Op>(op_names, text); }

std::size_t size_of(Type type) {
    return with(type, [](auto* null) { return sizeof *null; });
}

Operands::Operands(Type type, Op op, int p) : type_(type), op_(op), p_(p), weights_(b(0)) {
    for (int rank = 1; rank < p; ++rank)
        weights_ = op == Op::sum   ? weights_ + b(rank)
                   : op == Op::max ? std::max(weights_, b(rank))
                                   : std::min(weights_, b(rank));
}

void Operands::fill(void* elements, std::size_t count, int rank) const {
    with(type_, [&]<class T>(T*) {
        for (std::size_t i = 0; i < count; ++i) static_cast<T*>(elements)[i] = T(value<T>(i, 1, b(rank)));
    });
}

bool Operands::is_contribution(const void* elements, std::size_t count, int rank, std::size_t first) const {
    return with(type_, [&]<class T>(T*) { return holds<T>(elements, count, first, 1, b(rank), 0); });
}

bool Operands::is_result(const void* elements, std::size_t count, std::size_t first) const {
    return with(type_, [&]<class T>(T*) {
        // All numbers are positive: each is rounded once, and each addition rounds once more.
        const bool rounds = op_ == Op::sum && !std::is_integral_v<T>;
        const double tolerance = rounds ? (p_ + 1) * double(std::numeric_limits<T>::epsilon()) : 0;
        return holds<T>(elements, count, first, op_ == Op::sum ? p_ : 1, weights_, tolerance);
    });
}

void poison(void* elements, std::size_t bytes) { std::memset(elements, 0xA5, bytes); }

}  // namespace echelon
