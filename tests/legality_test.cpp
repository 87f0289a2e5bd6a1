// SPDX-License-Identifier: Apache-2.0
/// Operations that the MPI library refuses for a type were served, and some whose result depends on where the
/// library's loops cut a vector: recipes cut vectors elsewhere.
#include "mpi/combination.hpp"
#include "mpi/quirks.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace echelon {
namespace {

using Vector = std::vector<std::byte>;

struct Named {
    std::string name;
    MPI_Datatype type;
};
struct NamedOp {
    const char* name;
    MPI_Op op;
};

#define ECHELON_NAMED(handle) \
    { #handle, handle }
std::vector<Named> all_types() {
    return {
        ECHELON_NAMED(MPI_CHAR),
        ECHELON_NAMED(MPI_SIGNED_CHAR),
        ECHELON_NAMED(MPI_UNSIGNED_CHAR),
        ECHELON_NAMED(MPI_BYTE),
        ECHELON_NAMED(MPI_WCHAR),
        ECHELON_NAMED(MPI_SHORT),
        ECHELON_NAMED(MPI_UNSIGNED_SHORT),
        ECHELON_NAMED(MPI_INT),
        ECHELON_NAMED(MPI_UNSIGNED),
        ECHELON_NAMED(MPI_LONG),
        ECHELON_NAMED(MPI_UNSIGNED_LONG),
        ECHELON_NAMED(MPI_LONG_LONG),
        ECHELON_NAMED(MPI_UNSIGNED_LONG_LONG),
        ECHELON_NAMED(MPI_INT8_T),
        ECHELON_NAMED(MPI_INT16_T),
        ECHELON_NAMED(MPI_INT32_T),
        ECHELON_NAMED(MPI_INT64_T),
        ECHELON_NAMED(MPI_UINT8_T),
        ECHELON_NAMED(MPI_UINT16_T),
        ECHELON_NAMED(MPI_UINT32_T),
        ECHELON_NAMED(MPI_UINT64_T),
        ECHELON_NAMED(MPI_AINT),
        ECHELON_NAMED(MPI_OFFSET),
        ECHELON_NAMED(MPI_COUNT),
        ECHELON_NAMED(MPI_FLOAT),
        ECHELON_NAMED(MPI_DOUBLE),
        ECHELON_NAMED(MPI_LONG_DOUBLE),
        ECHELON_NAMED(MPI_C_BOOL),
        ECHELON_NAMED(MPI_C_FLOAT_COMPLEX),
        ECHELON_NAMED(MPI_C_DOUBLE_COMPLEX),
        ECHELON_NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
        ECHELON_NAMED(MPI_PACKED),
        ECHELON_NAMED(MPI_2INT),
        ECHELON_NAMED(MPI_FLOAT_INT),
        ECHELON_NAMED(MPI_DOUBLE_INT),
        ECHELON_NAMED(MPI_LONG_INT),
        ECHELON_NAMED(MPI_SHORT_INT),
        ECHELON_NAMED(MPI_LONG_DOUBLE_INT),
        ECHELON_NAMED(MPI_CXX_BOOL),
        ECHELON_NAMED(MPI_CXX_FLOAT_COMPLEX),
        ECHELON_NAMED(MPI_CXX_DOUBLE_COMPLEX),
        ECHELON_NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX),
        ECHELON_NAMED(MPI_INTEGER),
        ECHELON_NAMED(MPI_INTEGER1),
        ECHELON_NAMED(MPI_INTEGER2),
        ECHELON_NAMED(MPI_INTEGER4),
        ECHELON_NAMED(MPI_INTEGER8),
        ECHELON_NAMED(MPI_REAL),
        ECHELON_NAMED(MPI_REAL4),
        ECHELON_NAMED(MPI_REAL8),
        ECHELON_NAMED(MPI_DOUBLE_PRECISION),
        ECHELON_NAMED(MPI_COMPLEX),
        ECHELON_NAMED(MPI_DOUBLE_COMPLEX),
        ECHELON_NAMED(MPI_LOGICAL),
        ECHELON_NAMED(MPI_CHARACTER),
        ECHELON_NAMED(MPI_2INTEGER),
        ECHELON_NAMED(MPI_2REAL),
        ECHELON_NAMED(MPI_2DOUBLE_PRECISION),
    };
}
const std::vector<NamedOp> all_ops = {
    ECHELON_NAMED(MPI_SUM),     ECHELON_NAMED(MPI_PROD), ECHELON_NAMED(MPI_MAX),    ECHELON_NAMED(MPI_MIN),
    ECHELON_NAMED(MPI_LAND),    ECHELON_NAMED(MPI_LOR),  ECHELON_NAMED(MPI_LXOR),   ECHELON_NAMED(MPI_BAND),
    ECHELON_NAMED(MPI_BOR),     ECHELON_NAMED(MPI_BXOR), ECHELON_NAMED(MPI_MINLOC), ECHELON_NAMED(MPI_MAXLOC),
    ECHELON_NAMED(MPI_REPLACE), ECHELON_NAMED(MPI_NO_OP)};
#undef ECHELON_NAMED

/// A number in an element. Bytes between numbers are undefined.
struct Number {
    enum class Kind { integer, logical, floating, place } kind;
    std::size_t at, size;
    /// Number of significant bytes: ten of a long double.
    std::size_t told() const { return kind == Kind::floating ? std::min<std::size_t>(size, 10) : size; }
};

std::vector<Number> numbers_of(const Element& element) {
    using enum Number::Kind;
    switch (element.kind) {
        case Element::Kind::floating:
            return {{floating, 0, element.size}};
        case Element::Kind::complex:
            return {{floating, 0, element.size / 2}, {floating, element.size / 2, element.size / 2}};
        case Element::Kind::logical:
            return {{logical, 0, element.size}};
        case Element::Kind::pair:
            break;
        default:
            return {{integer, 0, element.size}};
    }
    const MPI_Datatype type = element.type;
    if (type == MPI_2REAL) return {{floating, 0, 4}, {floating, 4, 4}};
    if (type == MPI_2DOUBLE_PRECISION) return {{floating, 0, 8}, {floating, 8, 8}};
    if (type == MPI_FLOAT_INT) return {{floating, 0, 4}, {place, 4, 4}};
    if (type == MPI_DOUBLE_INT) return {{floating, 0, 8}, {place, 8, 4}};
    if (type == MPI_LONG_DOUBLE_INT) return {{floating, 0, 16}, {place, 16, 4}};
    if (type == MPI_SHORT_INT) return {{place, 0, 2}, {place, 4, 4}};
    if (type == MPI_LONG_INT) return {{place, 0, 8}, {place, 8, 4}};
    return {{place, 0, 4}, {place, 4, 4}};
}

/// Random operands, often at the ends of their range. `ordered`: only numbers that comparisons tell apart.
class Operands {
public:
    Operands(const Element& element, bool ordered, unsigned seed)
        : element_(element), ordered_(ordered), random_(seed) {}

    Vector vector(std::size_t count) {
        Vector all(count * std::size_t(element_.extent), std::byte{0});
        for (std::size_t i = 0; i < count; ++i)
            for (const Number& number : numbers_of(element_))
                fill(all.data() + i * std::size_t(element_.extent) + number.at, number);
        return all;
    }

private:
    template <class T>
    void put(std::byte* at, T value) {
        std::memcpy(at, &value, sizeof value);
    }
    template <class T>
    void put_floating(std::byte* at) {
        using limits = std::numeric_limits<T>;
        const std::array<T, 10> edges{0,
                                      1,
                                      -1,
                                      limits::max(),
                                      limits::lowest(),
                                      limits::min(),
                                      limits::infinity(),
                                      -limits::infinity(),
                                      -T(0),
                                      limits::quiet_NaN()};
        const std::size_t some = ordered_ ? edges.size() - 2 : edges.size();
        put(at, random_() % 2 == 0 ? edges[random_() % some] : (T(random_() % 1999) - T(999)) / T(7));
    }
    void fill(std::byte* at, const Number& number) {
        using enum Number::Kind;
        if (number.kind == logical) return put(at, std::uint8_t(random_() % 2));
        if (number.kind == place) return put(at, std::uint8_t(random_() % 5));
        if (number.kind == floating)
            return number.size == 4   ? put_floating<float>(at)
                   : number.size == 8 ? put_floating<double>(at)
                                      : put_floating<long double>(at);
        // -1, the ends of the range with and without a sign, 1, anything.
        const auto edge = unsigned(random_() % 6);
        for (std::size_t i = 0; i < number.size; ++i) {
            const bool highest = i + 1 == number.size;
            const std::array<unsigned, 6> bytes{0,
                                                0xFF,
                                                highest ? 0x7Fu : 0xFFu,
                                                highest ? 0x80u : 0u,
                                                i == 0 ? 1u : 0u,
                                                unsigned(random_())};
            put(at + i, std::uint8_t(bytes[edge]));
        }
    }
    const Element& element_;
    bool ordered_;
    std::mt19937 random_;
};

bool is_nan(const std::byte* at, std::size_t size) {
    const auto as = [&](auto value) {
        std::memcpy(&value, at, sizeof value);
        return std::isnan(value);
    };
    return size == 4 ? as(0.F) : size == 8 ? as(0.) : as(0.L);
}

/// Bitwise comparison, except that any NaN equals any other.
bool same(const std::byte* a, const std::byte* b, std::size_t count, const Element& element) {
    for (std::size_t i = 0; i < count; ++i)
        for (const Number& number : numbers_of(element)) {
            const std::size_t at = i * std::size_t(element.extent) + number.at;
            const bool nans = number.kind == Number::Kind::floating && is_nan(a + at, number.size) &&
                              is_nan(b + at, number.size);
            if (!nans && std::memcmp(a + at, b + at, number.told()) != 0) return false;
        }
    return true;
}

/// The library's result for elements [from, from + count), in buffers that are shifted by `shift` bytes.
Vector part(const Element& element, MPI_Op op, const Vector& left, const Vector& right, std::size_t from,
            std::size_t count, std::size_t shift) {
    const std::size_t skip = from * std::size_t(element.extent), bytes = count * std::size_t(element.extent);
    Vector in(bytes + shift), inout(bytes + shift);
    std::memcpy(in.data() + shift, left.data() + skip, bytes);
    std::memcpy(inout.data() + shift, right.data() + skip, bytes);
    PMPI_Reduce_local(in.data() + shift, inout.data() + shift, int(count), element.type, op);
    inout.erase(inout.begin(), inout.begin() + std::ptrdiff_t(shift));
    return inout;
}

bool library_takes(MPI_Datatype type, MPI_Op op) {
    std::array<std::byte, 64> in{}, out{};
    return PMPI_Allreduce(in.data(), out.data(), 1, type, op, MPI_COMM_SELF) == MPI_SUCCESS;
}

/// Errors return, also in calls without a communicator.
class Legality : public testing::Test {
protected:
    Legality() { set(MPI_ERRORS_RETURN); }
    ~Legality() override { set(MPI_ERRORS_ARE_FATAL); }
    static void set(MPI_Errhandler handler) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    }
};

/// True if the result is equal wherever a vector is cut, even for 0 and -0 or a NaN.
bool says_all(MPI_Op op) { return !quirks::extremes_depend_on_cuts || (op != MPI_MAX && op != MPI_MIN); }

TEST_F(Legality, WhatIsServedIsTheLibrarysWhereverItIsCut) {
    int served = 0, kernels = 0;
    for (const auto& [type_name, type] : all_types()) {
        if (type == MPI_DATATYPE_NULL) continue;
        for (const auto& [op_name, op] : all_ops) {
            const testing::ScopedTrace trace(__FILE__, __LINE__, type_name + " " + op_name);
            const Element element = element_of(type);
            const Combination combination = combination_of(op, element);
            if (!combination.served) continue;
            ++served;
            const bool takes = library_takes(type, op);
            EXPECT_TRUE(takes) << "the library refuses it";
            if (!takes) continue;
            constexpr std::size_t count = 200;
            bool anywhere = true, by_kernel = true;
            for (unsigned seed = 0; seed < 4; ++seed) {
                Operands operands(element, !says_all(op), seed);
                const Vector left = operands.vector(count), right = operands.vector(count);
                const Vector whole = part(element, op, left, right, 0, count, 0);
                for (const std::size_t from : {0, 1, 2, 3, 5, 7, 8, 16, 31})
                    for (const std::size_t length :
                         {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100})
                        for (const std::size_t shift : {0, 16}) {
                            const Vector cut = part(element, op, left, right, from, length, shift);
                            anywhere = anywhere &&
                                       same(cut.data(), whole.data() + from * std::size_t(element.extent),
                                            length, element);
                        }
                if (combination.kernel == nullptr) continue;
                Vector result(left.size());
                combination.kernel(result.data(), left.data(), right.data(), count);
                by_kernel = by_kernel && same(result.data(), whole.data(), count, element);
                ++kernels;
            }
            EXPECT_TRUE(anywhere) << "the library's own result depends on where a vector is cut";
            EXPECT_TRUE(by_kernel) << "the kernel differs from the library";
        }
    }
    EXPECT_GT(served, 150);
    EXPECT_GT(kernels, 400);
}

}  // namespace
}  // namespace echelon
