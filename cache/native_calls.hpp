// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"

#include <mpi.h>

#include <array>
#include <cstdint>

namespace echelon {

/// A call as the program passes it, as far as its plan depends on that: where a rank has several blocks, one of
/// them.
struct PassedCall {
    Collective collective;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Count count;
    int root;
    friend bool operator==(const PassedCall&, const PassedCall&) = default;
};

/// The last calls on a communicator that a plan gave to the library: as long as nothing changes the plans,
/// they need no look when they come again. Of predefined types and operations alone, whose handles always mean
/// the same.
class NativeCalls {
public:
    /// Never of a count that is not above 0.
    bool has(const PassedCall& call) const { return call.count > 0 && calls_[place(call)] == call; }
    void add(const PassedCall& call) { calls_[place(call)] = call; }
    void clear() { calls_ = {}; }

private:
    static constexpr std::size_t most = 16;
    static std::size_t place(const PassedCall& call) {
        return (std::size_t(call.collective) * 3 + std::size_t(call.count)) % most;
    }
    std::array<PassedCall, most> calls_{};
};

}  // namespace echelon
