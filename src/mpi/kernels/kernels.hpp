// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace echelon {

/// The C types that kernels know. A pair is a value and the place it was found at (MPI_MINLOC, MPI_MAXLOC).
enum class Scalar : std::uint8_t {
    none,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    f32,
    f64,
    c32,
    c64,
    pair_i32,
    pair_i64,
    pair_f32,
    pair_f64
};

enum class Combine : std::uint8_t {
    none,
    sum,
    prod,
    min,
    max,
    land,
    lor,
    lxor,
    band,
    bor,
    bxor,
    minloc,
    maxloc
};

/// into[i] = left[i] (+) right[i] for `count` elements. `into` may be either operand; otherwise the arrays
/// must not overlap.
using Kernel = void (*)(void* into, const void* left, const void* right, std::size_t count);

/// The processor's vector instructions. Every level gives the same bits: kernels work element by element.
enum class Processor : std::uint8_t { plain, avx2, avx512 };

/// The level of this machine's processor.
Processor processor_here();

/// The kernel of an operation and type; null if there is none and MPI_Reduce_local must combine.
Kernel kernel_for(Combine combine, Scalar scalar, Processor processor);

}  // namespace echelon
