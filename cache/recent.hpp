// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/quirks.hpp"

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>

namespace echelon {

class State;

/// The communicators that a thread called on last, with their states: what a call costs because Echelon looks
/// at it is mostly this search. A handle may come back as another communicator's, so whoever takes a state
/// off its communicator raises the generation first, on whichever thread: MPI gives the handle out again only
/// later, and whoever gets to know the new communicator has seen the new generation too.
class Recent {
public:
    static State* find(MPI_Comm comm) {
        if constexpr (quirks::simulated) return nullptr;  // they may share a thread
        const Slot& slot = slots[place(comm)];
        return slot.comm == comm && slot.generation == now() ? slot.state : nullptr;
    }
    /// `generation`: from before the state was looked up.
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
    /// Handles are small numbers that follow each other, or addresses.
    static std::size_t place(MPI_Comm comm) {
        const auto handle = std::uintptr_t(comm);
        return (handle ^ (handle >> 9)) % most;
    }

    [[gnu::tls_model(ECHELON_TLS_MODEL)]] static constinit thread_local std::array<Slot, most> slots;
    static constinit std::atomic<std::uint64_t> generation_;
};

}  // namespace echelon
