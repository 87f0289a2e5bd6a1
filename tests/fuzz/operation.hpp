// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/layout.hpp"

#include <span>

namespace fuzz {

/// User-defined operations. They work on the bytes of elements in the order of the type map, hence they serve
/// every type, and are exactly associative.
struct UserOperation {
    const char* name;
    bool commutes;
    /// The result depends on the element as a whole; code that splits elements gets another result.
    bool mixes_element;
    MPI_Op op;
};

std::span<const UserOperation> user_operations();
void make_user_operations();
void free_user_operations();
/// Another operation of this kind.
MPI_Op create_operation(int operation);

/// The operations look types up here.
void remember(MPI_Datatype type, const Map& map);
void forget(MPI_Datatype type);
/// Number of times that an operation met a type that was not remembered.
int unknown_types();

/// right = left op right, on elements of `length` bytes in the order of the map.
void combine_bytes(int operation, std::size_t length, const std::vector<std::byte>& left,
                   std::vector<std::byte>& right);

/// The value bytes of an element, in the order of the map; and back.
void take_element(const std::byte* element, const Map& map, std::vector<std::byte>& bytes);
void put_element(std::byte* element, const Map& map, const std::byte* bytes);
std::size_t element_bytes(const Map& map);

}  // namespace fuzz
