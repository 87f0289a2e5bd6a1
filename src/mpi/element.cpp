// SPDX-License-Identifier: Apache-2.0
#include "mpi/element.hpp"

#include "mpi/check.hpp"
#include "mpi/quirks.hpp"
#include "mpi/type_map.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

namespace echelon {
namespace {

Element ask(MPI_Datatype type, Element::Kind kind) {
    MPI_Count size = 0, lower_bound = 0, extent = 0, true_lower_bound = 0, true_extent = 0;
    check(PMPI_Type_size_x(type, &size), "MPI_Type_size");
    check(PMPI_Type_get_extent_x(type, &lower_bound, &extent), "MPI_Type_get_extent");
    check(PMPI_Type_get_true_extent_x(type, &true_lower_bound, &true_extent), "MPI_Type_get_true_extent");
    Element element{.type = type,
                    .kind = kind,
                    .size = size == MPI_UNDEFINED ? most_bytes : Bytes(size),
                    .extent = MPI_Aint(extent),
                    .true_lower_bound = MPI_Aint(true_lower_bound),
                    .true_extent = MPI_Aint(true_extent),
                    .plain = kind != Element::Kind::other};
    // Most types have gaps: their map need not be read.
    if (!element.plain && true_lower_bound == 0 && true_extent == extent && size == extent)
        element.plain = run_of(type).has_value();
    // A predefined pair may report less than its extent; the rest is padding and carries no data.
    if (element.plain) element.true_extent = element.extent;
    return element;
}

/// The kernels' type for a predefined type of this kind and size.
Scalar scalar_of(const Element& element, bool is_signed) {
    using enum Element::Kind;
    const auto by_size = [&](Scalar of_1, Scalar of_2, Scalar of_4, Scalar of_8,
                             Scalar of_16 = Scalar::none) {
        switch (element.size) {
            case 1:
                return of_1;
            case 2:
                return of_2;
            case 4:
                return of_4;
            case 8:
                return of_8;
            case 16:
                return of_16;
            default:
                return Scalar::none;
        }
    };
    constexpr Scalar none = Scalar::none;
    switch (element.kind) {
        case integer:
        case fortran_integer:
            return is_signed ? by_size(Scalar::i8, Scalar::i16, Scalar::i32, Scalar::i64)
                             : by_size(Scalar::u8, Scalar::u16, Scalar::u32, Scalar::u64);
        case bytes:
            return element.size == 1 ? Scalar::u8 : none;
        case floating:
            return by_size(none, none, Scalar::f32, Scalar::f64);
        case complex:
            return by_size(none, none, none, Scalar::c32, Scalar::c64);
        case pair:
            if (element.type == MPI_2INT) return Scalar::pair_i32;
            if (element.type == MPI_FLOAT_INT) return Scalar::pair_f32;
            if (element.type == MPI_DOUBLE_INT) return Scalar::pair_f64;
            if (element.type == MPI_LONG_INT && sizeof(long) == 8) return Scalar::pair_i64;
            return none;
        default:
            return none;
    }
}

/// The most used types first.
std::vector<Element> predefined() {
    using enum Element::Kind;
    std::vector<Element> table;
    const auto add = [&](Element::Kind kind, std::initializer_list<MPI_Datatype> types,
                         bool is_signed = true) {
        for (const MPI_Datatype type : types) {
            if (type == MPI_DATATYPE_NULL) continue;
            table.push_back(ask(type, kind));
            table.back().scalar = scalar_of(table.back(), is_signed);
        }
    };
    add(floating, {MPI_DOUBLE, MPI_FLOAT});
    add(integer, {MPI_INT, MPI_LONG});
    add(bytes, {MPI_BYTE, MPI_CHAR});
    add(integer, {MPI_UNSIGNED, MPI_UNSIGNED_LONG}, false);
    add(integer, {MPI_LONG_LONG, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_SIGNED_CHAR,
                  MPI_SHORT, MPI_AINT, MPI_COUNT});
    add(integer, {MPI_OFFSET}, quirks::offset_has_a_sign);
    add(integer,
        {MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T, MPI_UNSIGNED_CHAR,
         MPI_UNSIGNED_SHORT},
        false);
    add(pair, {MPI_DOUBLE_INT, MPI_2INT, MPI_FLOAT_INT, MPI_LONG_INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT});
    add(floating, {MPI_LONG_DOUBLE});
    add(complex, {MPI_C_DOUBLE_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX});
    add(logical, {MPI_C_BOOL});
    add(opaque, {MPI_WCHAR, MPI_PACKED});
#if ECHELON_HAS_ALL_OF_MPI_3
    add(fortran_integer, {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8});
    add(floating, {MPI_DOUBLE_PRECISION, MPI_REAL, MPI_REAL4, MPI_REAL8});
    add(complex, {MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_CXX_FLOAT_COMPLEX,
                  MPI_CXX_LONG_DOUBLE_COMPLEX});
    add(logical, {MPI_LOGICAL, MPI_CXX_BOOL});
    add(pair, {MPI_2INTEGER, MPI_2REAL, MPI_2DOUBLE_PRECISION});
    add(bytes, {MPI_CHARACTER});
#endif
    return table;
}

int on_type_deleted(MPI_Datatype, int, void* element, void*) {
    delete static_cast<Element*>(element);
    return MPI_SUCCESS;
}

/// A datatype of the program: examined once, then kept as an attribute, which MPI deletes with the type.
Element derived(MPI_Datatype type) {
    static const int keyval = [] {
        int made = MPI_KEYVAL_INVALID;
        check(PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, on_type_deleted, &made, nullptr),
              "MPI_Type_create_keyval");
        return made;
    }();
    const auto known = [&] {
        void* found = nullptr;
        int flag = 0;
        check(PMPI_Type_get_attr(type, keyval, &found, &flag), "MPI_Type_get_attr");
        return flag != 0 ? static_cast<const Element*>(found) : nullptr;
    };
    if (const Element* const element = known()) return *element;
    auto made = std::make_unique<Element>(ask(type, Element::Kind::other));
    // Set once: another thread may be reading it.
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    if (known() == nullptr) {
        check(PMPI_Type_set_attr(type, keyval, made.get()), "MPI_Type_set_attr");
        return *made.release();
    }
    return *made;
}

}  // namespace

Element element_of(MPI_Datatype type) {
    // Never destroyed: destructors of statics may still call MPI. A separate array of handles is fast to
    // search.
    struct Table {
        std::vector<Element> elements = predefined();
        std::vector<MPI_Datatype> types;
        Table() {
            for (const Element& element : elements) types.push_back(element.type);
        }
    };
    static const Table& table = *new Table;
    const auto found = std::find(table.types.begin(), table.types.end(), type);
    if (found != table.types.end()) return table.elements[std::size_t(found - table.types.begin())];
    return derived(type);
}

}  // namespace echelon
