// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

#include <echelon/echelon.hpp>

namespace echelon {

/// What Tuning's functions begin with: a collective and a communicator that exist.
inline Collective collective_or_throw(std::string_view text) {
    if (const auto collective = collective_named(text)) return *collective;
    std::string known;
    for (const Collective collective : all_collectives)
        known.append(known.empty() ? "" : ", ").append(name(collective));
    throw TuningError("collective '" + std::string(text) + "' is unknown; known are " + known);
}

inline State& state_or_throw(MPI_Comm comm) {
    State* const state = State::of(comm);
    if (state == nullptr || !state->serves())
        throw TuningError(
            "this communicator is not tuned: it is null, an intercommunicator, of one rank, of several MPI_COMM_WORLDs, some rank has no Echelon in front, or MPI is not running");
    return *state;
}

/// Runs `call` with the library's own errors as the user's.
template <class Call>
auto told(Call&& call) {
    try {
        return call();
    } catch (const Error& error) {
        throw TuningError(error.what());
    }
}

}  // namespace echelon
