// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/layout.hpp"

#include <span>

namespace fuzz {

/// Operations of a user's. They work on the bytes of elements in the order of the type map, so that they
/// serve every type, and are exactly associative.
struct UserOperation {
    const char* name;
    bool commutes;
    /// An element is more than the sum of its basic types: whoever cuts it gets something else.
    bool mixes_element;
    MPI_Op op;
};

std::span<const UserOperation> user_operations();
void make_user_operations();
void free_user_operations();
/// One more of the same.
MPI_Op create_operation(int operation);

/// The operations look types up here.
void remember(MPI_Datatype type, const Map& map);
void forget(MPI_Datatype type);
/// How often an operation was given a type that nobody has remembered.
int unknown_types();

/// right = left op right, on elements of `length` bytes in the order of the map.
void combine_bytes(int operation, std::size_t length, const std::vector<std::byte>& left,
                   std::vector<std::byte>& right);

/// The bytes of an element that count, in the order of the map; and back.
void take_element(const std::byte* element, const Map& map, std::vector<std::byte>& bytes);
void put_element(std::byte* element, const Map& map, const std::byte* bytes);
std::size_t element_bytes(const Map& map);

}  // namespace fuzz
