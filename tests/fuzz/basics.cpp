// SPDX-License-Identifier: Apache-2.0
#include "fuzz/basics.hpp"

#include "fuzz/random.hpp"

#include <complex>
#include <cstring>
#include <type_traits>

namespace fuzz {
namespace {

template <class T>
void put(std::byte* at, T value) {
    // A long double's value is in its first bytes; the rest is padding.
    std::memcpy(at, &value, std::is_same_v<T, long double> ? 10 : sizeof value);
}

/// Small enough that neither 17 summands nor any partial sum overflow an 8-bit integer.
template <class T>
T summand(std::uint64_t draw) {
    const int small = int(draw % 8);
    return T(std::is_signed_v<T> && (draw & 8) ? -small : small);
}

/// One rank gives a factor, the others units.
template <class T>
T factor(int rank, int ranks, std::uint64_t chance, std::uint64_t draw) {
    if (int(chance % std::uint64_t(ranks)) == rank) return T(1 + draw % 5);
    return T(std::is_signed_v<T> && (draw & 16) ? -1 : 1);
}

template <class T>
void integer(std::byte* at, Combine combine, int rank, int ranks, std::uint64_t chance) {
    const std::uint64_t draw = mix(chance, rank);
    switch (combine) {
        case Combine::sum:
            return put(at, summand<T>(draw));
        case Combine::prod:
            return put(at, factor<T>(rank, ranks, chance, draw));
        case Combine::land:
        case Combine::lor:
        case Combine::lxor:
            return put(at, T(draw & 1 ? draw >> 8 : 0));
        default:
            return put(at, T(draw));
    }
}

template <class T>
T real(Combine combine, int rank, int ranks, std::uint64_t chance) {
    const std::uint64_t draw = mix(chance, rank);
    // Summands of one sign: the sign of a sum of 0 would depend on the ranks' rounding modes.
    if (combine == Combine::sum) return T(chance & 1 ? int(draw % 8) : -int(draw % 8));
    if (combine == Combine::prod) return factor<T>(rank, ranks, chance, draw);
    return T(int(draw % 2001) - 1000);
}

template <class T>
void floating(std::byte* at, Combine combine, int rank, int ranks, std::uint64_t chance) {
    put(at, real<T>(combine, rank, ranks, chance));
}

/// Products: positive reals except for one rank, because a zero's sign must not depend on the order.
template <class T>
void complex(std::byte* at, Combine combine, int rank, int ranks, std::uint64_t chance) {
    const std::uint64_t draw = mix(chance, rank);
    const bool one = int(chance % std::uint64_t(ranks)) == rank;
    if (combine == Combine::prod) {
        put(at, T(one ? 1 + int(draw % 5) : 1 + int(draw & 1)));
        put(at + sizeof(T), T(one ? 1 + int((draw >> 8) % 5) : 0));
    } else {
        put(at, T(int(draw % 8)));
        put(at + sizeof(T), T(int((draw >> 8) % 8)));
    }
}

template <class T>
void logical(std::byte* at, Combine, int rank, int, std::uint64_t chance) {
    put(at, T(mix(chance, rank) & 1));
}

template <class Value, class Place>
struct Both {
    Value value;
    Place place;
};

template <class Value, class Place>
constexpr std::ptrdiff_t place_of() {
    using Pair = Both<Value, Place>;
    return offsetof(Pair, place);
}

/// Few different values: equal ones occur, for which the place decides.
template <class Value, class Place>
void pair(std::byte* at, Combine, int rank, int, std::uint64_t chance) {
    const std::uint64_t draw = mix(chance, rank);
    put(at, Value(int(draw % 4)));
    put(at + place_of<Value, Place>(), Place(int(draw >> 8) % 100 + rank));
}

template <class T>
std::ptrdiff_t value_bytes() {
    return std::is_same_v<T, long double> ? 10 : std::ptrdiff_t(sizeof(T));
}

struct Table {
    std::vector<Basic> rows;

    void add(const char* name, MPI_Datatype type, Family family, std::ptrdiff_t extent,
             std::ptrdiff_t alignment, std::vector<Basic::Run> runs, decltype(Basic::operand) operand) {
        if (type == MPI_DATATYPE_NULL) return;
        int size = 0;
        PMPI_Type_size(type, &size);
        rows.push_back({name, type, family, extent, alignment, std::move(runs), size, operand});
    }
    template <class T>
    void add_simple(const char* name, MPI_Datatype type, Family family, decltype(Basic::operand) operand) {
        add(name, type, family, sizeof(T), alignof(T), {{0, value_bytes<T>()}}, operand);
    }
    template <class T>
    void add_complex(const char* name, MPI_Datatype type) {
        add(name, type, Family::complex, 2 * sizeof(T), alignof(T),
            {{0, value_bytes<T>()}, {sizeof(T), value_bytes<T>()}}, complex<T>);
    }
    template <class Value, class Place>
    void add_pair(const char* name, MPI_Datatype type) {
        using Pair = Both<Value, Place>;
        add(name, type, Family::pair, sizeof(Pair), alignof(Pair),
            {{0, value_bytes<Value>()}, {place_of<Value, Place>(), sizeof(Place)}}, pair<Value, Place>);
    }
};

std::vector<Basic> all_basics() {
    Table table;
#define INTEGER(type, T) table.add_simple<T>(#type, type, Family::integer, integer<T>)
#define FLOATING(type, T) table.add_simple<T>(#type, type, Family::floating, floating<T>)
#define LOGICAL(type, T) table.add_simple<T>(#type, type, Family::logical, logical<T>)
#define BYTES(type, T) table.add_simple<T>(#type, type, Family::bytes, integer<T>)
#define OPAQUE(type, T) table.add_simple<T>(#type, type, Family::opaque, integer<T>)
    INTEGER(MPI_INT, int);
    INTEGER(MPI_LONG, long);
    INTEGER(MPI_SHORT, short);
    INTEGER(MPI_SIGNED_CHAR, signed char);
    INTEGER(MPI_LONG_LONG, long long);
    INTEGER(MPI_UNSIGNED, unsigned);
    INTEGER(MPI_UNSIGNED_CHAR, unsigned char);
    INTEGER(MPI_UNSIGNED_SHORT, unsigned short);
    INTEGER(MPI_UNSIGNED_LONG, unsigned long);
    INTEGER(MPI_UNSIGNED_LONG_LONG, unsigned long long);
    INTEGER(MPI_INT8_T, std::int8_t);
    INTEGER(MPI_INT16_T, std::int16_t);
    INTEGER(MPI_INT32_T, std::int32_t);
    INTEGER(MPI_INT64_T, std::int64_t);
    INTEGER(MPI_UINT8_T, std::uint8_t);
    INTEGER(MPI_UINT16_T, std::uint16_t);
    INTEGER(MPI_UINT32_T, std::uint32_t);
    INTEGER(MPI_UINT64_T, std::uint64_t);
    INTEGER(MPI_AINT, MPI_Aint);
    INTEGER(MPI_OFFSET, MPI_Offset);
    INTEGER(MPI_COUNT, MPI_Count);
    FLOATING(MPI_FLOAT, float);
    FLOATING(MPI_DOUBLE, double);
    FLOATING(MPI_LONG_DOUBLE, long double);
    table.add_complex<float>("MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX);
    table.add_complex<double>("MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX);
    table.add_complex<long double>("MPI_C_LONG_DOUBLE_COMPLEX", MPI_C_LONG_DOUBLE_COMPLEX);
    LOGICAL(MPI_C_BOOL, bool);
    BYTES(MPI_BYTE, std::uint8_t);
    table.add_pair<float, int>("MPI_FLOAT_INT", MPI_FLOAT_INT);
    table.add_pair<double, int>("MPI_DOUBLE_INT", MPI_DOUBLE_INT);
    table.add_pair<long, int>("MPI_LONG_INT", MPI_LONG_INT);
    table.add_pair<int, int>("MPI_2INT", MPI_2INT);
    table.add_pair<short, int>("MPI_SHORT_INT", MPI_SHORT_INT);
    table.add_pair<long double, int>("MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT);
    OPAQUE(MPI_CHAR, char);
    OPAQUE(MPI_WCHAR, wchar_t);
    OPAQUE(MPI_PACKED, std::uint8_t);
    // Fortran's types.
    INTEGER(MPI_INTEGER, int);
    INTEGER(MPI_INTEGER1, std::int8_t);
    INTEGER(MPI_INTEGER2, std::int16_t);
    INTEGER(MPI_INTEGER4, std::int32_t);
    INTEGER(MPI_INTEGER8, std::int64_t);
    FLOATING(MPI_REAL, float);
    FLOATING(MPI_REAL4, float);
    FLOATING(MPI_REAL8, double);
    FLOATING(MPI_DOUBLE_PRECISION, double);
    table.add_complex<float>("MPI_COMPLEX", MPI_COMPLEX);
    table.add_complex<double>("MPI_DOUBLE_COMPLEX", MPI_DOUBLE_COMPLEX);
    LOGICAL(MPI_LOGICAL, int);
    OPAQUE(MPI_CHARACTER, char);
    table.add_pair<int, int>("MPI_2INTEGER", MPI_2INTEGER);
    table.add_pair<float, float>("MPI_2REAL", MPI_2REAL);
    table.add_pair<double, double>("MPI_2DOUBLE_PRECISION", MPI_2DOUBLE_PRECISION);
#undef INTEGER
#undef FLOATING
#undef LOGICAL
#undef BYTES
#undef OPAQUE
    return table.rows;
}

}  // namespace

const std::vector<Basic>& basics() {
    static const std::vector<Basic> table = all_basics();
    return table;
}

const std::vector<Predefined>& predefined() {
    static const std::vector<Predefined> table{
        {"MPI_SUM", MPI_SUM, Combine::sum},          {"MPI_PROD", MPI_PROD, Combine::prod},
        {"MPI_MAX", MPI_MAX, Combine::max},          {"MPI_MIN", MPI_MIN, Combine::min},
        {"MPI_LAND", MPI_LAND, Combine::land},       {"MPI_LOR", MPI_LOR, Combine::lor},
        {"MPI_LXOR", MPI_LXOR, Combine::lxor},       {"MPI_BAND", MPI_BAND, Combine::band},
        {"MPI_BOR", MPI_BOR, Combine::bor},          {"MPI_BXOR", MPI_BXOR, Combine::bxor},
        {"MPI_MINLOC", MPI_MINLOC, Combine::minloc}, {"MPI_MAXLOC", MPI_MAXLOC, Combine::maxloc}};
    return table;
}

bool is_legal(Combine combine, Family family) {
    switch (family) {
        case Family::integer:
            return combine < Combine::minloc;
        case Family::floating:
            return combine <= Combine::min;
        case Family::complex:
            return combine <= Combine::prod;
        case Family::logical:
            return combine >= Combine::land && combine <= Combine::lxor;
        case Family::bytes:
            return combine >= Combine::band && combine <= Combine::bxor;
        case Family::pair:
            return combine >= Combine::minloc;
        case Family::opaque:
            return false;
    }
    return false;
}

}  // namespace fuzz
