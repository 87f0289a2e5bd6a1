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

/// into[i] = left[i] (+) right[i] for `count` elements. `into` may be either operand; else nothing overlaps.
using Kernel = void (*)(void* into, const void* left, const void* right, std::size_t count);

/// What the processor can do. Every level gives the same bits: kernels work element by element.
enum class Processor : std::uint8_t { plain, avx2, avx512 };

/// What this machine's processor can do.
Processor processor_here();

/// Nullptr where there is none: MPI_Reduce_local then does it.
Kernel kernel_for(Combine combine, Scalar scalar, Processor processor);

}  // namespace echelon
