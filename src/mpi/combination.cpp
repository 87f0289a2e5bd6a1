// SPDX-License-Identifier: Apache-2.0
#include "mpi/combination.hpp"

#include "core/order_free_sum.hpp"
#include "mpi/binned_sum.hpp"
#include "mpi/check.hpp"
#include "mpi/quirks.hpp"

#include <utility>

namespace echelon {
namespace {

Combine combine_of(MPI_Op op) {
    const std::pair<MPI_Op, Combine> known[] = {
        {MPI_SUM, Combine::sum},   {MPI_MAX, Combine::max},       {MPI_MIN, Combine::min},
        {MPI_PROD, Combine::prod}, {MPI_LAND, Combine::land},     {MPI_LOR, Combine::lor},
        {MPI_LXOR, Combine::lxor}, {MPI_BAND, Combine::band},     {MPI_BOR, Combine::bor},
        {MPI_BXOR, Combine::bxor}, {MPI_MINLOC, Combine::minloc}, {MPI_MAXLOC, Combine::maxloc}};
    for (const auto& [predefined, combine] : known)
        if (op == predefined) return combine;
    return Combine::none;
}

/// True if MPI allows this kind of type for the operation in all libraries; the test `legality` asks them.
bool is_legal(Combine combine, Element::Kind kind) {
    using enum Element::Kind;
    const bool is_integer = kind == integer || kind == fortran_integer;
    switch (combine) {
        case Combine::sum:
        case Combine::prod:
            return is_integer || kind == floating || kind == complex;
        case Combine::min:
        case Combine::max:
            return is_integer || kind == floating;
        case Combine::land:
        case Combine::lor:
        case Combine::lxor:
            return kind == integer || kind == logical;
        case Combine::band:
        case Combine::bor:
        case Combine::bxor:
            return is_integer || kind == bytes;
        case Combine::minloc:
        case Combine::maxloc:
            return kind == pair;
        case Combine::none:
            return false;
    }
    return false;
}

/// True if the library's result depends on where a vector is cut. Recipes cut vectors at other places.
bool depends_on_cuts(Combine combine, Scalar scalar) {
    return quirks::small_sums_depend_on_cuts && combine == Combine::sum &&
           (scalar == Scalar::i8 || scalar == Scalar::i16 || scalar == Scalar::u8 || scalar == Scalar::u16);
}

/// True if the library's result differs from the kernels': then the library combines.
bool is_the_librarys(Combine combine, Scalar scalar) {
    return quirks::unsigned_extremes_may_have_a_sign && scalar >= Scalar::u8 && scalar <= Scalar::u64 &&
           (combine == Combine::min || combine == Combine::max);
}

}  // namespace

Combination combination_of(MPI_Op op, const Element& element) {
    if (element.size == 0 || op == MPI_REPLACE || op == MPI_NO_OP) return {};
    if (const Combine combine = combine_of(op); combine != Combine::none) {
        static const Processor processor = processor_here();
        const bool rounds = element.kind == Element::Kind::floating ||
                            element.kind == Element::Kind::complex || element.kind == Element::Kind::pair;
        if (!is_legal(combine, element.kind) || depends_on_cuts(combine, element.scalar)) return {};
        return {.served = true,
                .commutative = true,
                .exact = !rounds,
                .kernel = is_the_librarys(combine, element.scalar)
                              ? nullptr
                              : kernel_for(combine, element.scalar, processor)};
    }
    if (is_binned_sum(op)) return {.served = true, .commutative = true, .exact = true, .kernel = add_binned};
    int commutative = 0;
    check(PMPI_Op_commutative(op, &commutative), "MPI_Op_commutative");
    return {.served = true, .user_made = true, .commutative = commutative != 0, .exact = false};
}

}  // namespace echelon
