// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <cstdint>

namespace echelon {

/// The memory of a process, as others of its node read and write it in one copy (cross-memory attach). Whether
/// the system lets them is known by trying: kernels, containers and filters of system calls may forbid it.
struct PeerMemory {
    std::int64_t process = 0;
    /// Where its mark lies, by which it is told from other processes of that number.
    std::uint64_t address = 0;
    std::uint64_t mark = 0;

    static PeerMemory own();
    bool can_be_reached() const;
    /// 0, or why it cannot be (errno). ESRCH: the process has ended.
    int read(void* into, std::uint64_t from, Bytes bytes) const;
    int write(std::uint64_t into, const void* from, Bytes bytes) const;
};

}  // namespace echelon
