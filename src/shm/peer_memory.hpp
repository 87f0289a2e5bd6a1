// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <cstdint>

namespace echelon {

/// The memory of a process, which others of its node read and write in one copy (cross-memory attach). Only a
/// trial shows if the system permits it: kernels, containers and filters of system calls may forbid it.
struct PeerMemory {
    std::int64_t process = 0;
    /// Address of its mark. The mark distinguishes the process from others with the same id.
    std::uint64_t address = 0;
    std::uint64_t mark = 0;

    static PeerMemory own();
    bool can_be_reached() const;
    /// Returns 0, or the reason of the failure (errno). ESRCH: the process has ended.
    int read(void* into, std::uint64_t from, Bytes bytes) const;
    int write(std::uint64_t into, const void* from, Bytes bytes) const;
};

}  // namespace echelon
