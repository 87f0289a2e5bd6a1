// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counts the allocations of a program. Only one of its files may include this.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace echelon::test {

/// Allocations of C++ code; the MPI libraries, which are C, are not counted.
inline std::atomic<long> allocations = 0;

inline void* counted(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) {
    ++allocations;
    if (void* const memory = std::aligned_alloc(alignment, (size + alignment) / alignment * alignment))
        return memory;
    throw std::bad_alloc();
}

// Not inlined, because gcc would report a mismatch with operator new.
[[gnu::noinline]] inline void give_back(void* memory) noexcept { std::free(memory); }

}  // namespace echelon::test

void* operator new(std::size_t size) { return echelon::test::counted(size); }
void* operator new[](std::size_t size) { return echelon::test::counted(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return echelon::test::counted(size, std::size_t(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return echelon::test::counted(size, std::size_t(alignment));
}
void operator delete(void* memory) noexcept { echelon::test::give_back(memory); }
void operator delete[](void* memory) noexcept { echelon::test::give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { echelon::test::give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { echelon::test::give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { echelon::test::give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { echelon::test::give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    echelon::test::give_back(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    echelon::test::give_back(memory);
}
