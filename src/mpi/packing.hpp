// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/element.hpp"
#include "mpi/route.hpp"

namespace echelon {

/// Copies `count` elements to or from consecutive bytes, in the order of the type's map.
void pack(void* packed, const void* from, std::size_t count, const Element& element,
          const Loopback& loopback);
void unpack(void* into, const void* packed, std::size_t count, const Element& element,
            const Loopback& loopback);

}  // namespace echelon
