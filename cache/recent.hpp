// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/quirks.hpp"

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>

namespace echelon {

class State;

/// The communicators that a thread used last, with their states. This look-up is most of Echelon's cost per
/// call. MPI may reuse the handle of a freed communicator. A thread that detaches a state therefore raises
/// the generation first. MPI reuses the handle only later, and every thread that learns of the new
/// communicator has seen the new generation.
class Recent {
public:
    [[gnu::always_inline]] static inline State* find(MPI_Comm comm) {
        if constexpr (quirks::simulated) return nullptr;  // simulated ranks may share a thread
        const Slot& slot = slots[place(comm)];
        return slot.comm == comm && slot.generation == now() ? slot.state : nullptr;
    }
    /// `generation`: now(), read before the state was looked up.
    static void remember(MPI_Comm comm, State* state, std::uint64_t generation) {
        slots[place(comm)] = {comm, generation, state};
    }
    static std::uint64_t now() { return generation_.load(std::memory_order_acquire); }
    static void forget_all() { generation_.fetch_add(1, std::memory_order_acq_rel); }

private:
    struct Slot {
        MPI_Comm comm;
        std::uint64_t generation;  // 0: empty
        State* state;
    };
    static constexpr std::size_t most = 4;
    /// Hashes a handle: MPICH's are consecutive numbers, Open MPI's are addresses.
    static std::size_t place(MPI_Comm comm) {
        const auto handle = std::uintptr_t(comm);
        return (handle ^ (handle >> 9)) % most;
    }

    [[gnu::tls_model(ECHELON_TLS_MODEL)]] static constinit thread_local std::array<Slot, most> slots;
    static constinit std::atomic<std::uint64_t> generation_;
};

}  // namespace echelon
