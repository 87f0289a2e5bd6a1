// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "front/errors.hpp"
#include "front/settle.hpp"

#include <echelon/echelon.h>

namespace echelon {

/// What the tuning functions begin with: a communicator that exists.
inline State& state_or_throw(MPI_Comm comm) {
    State* const state = State::of(comm);
    if (state == nullptr || !state->serves())
        throw Error(
            "this communicator is not tuned: it is null, an intercommunicator, of one rank, of several MPI_COMM_WORLDs, some rank has no Echelon in front, or MPI is not running");
    return *state;
}

/// With its end, cut to `length`.
void copy_text(const std::string& text, char* into, std::size_t length);

/// Whether errors on this thread are echelon.hpp's to throw.
bool& errors_are_thrown();

/// Runs a function of echelon.h that tunes. All errors are the user's, the library's own too.
template <class Call>
int tuned(MPI_Comm comm, Call&& call) {
    const auto told = [&] {
        try {
            if (!errors_are_thrown()) settle(state_or_throw(comm));
            call(state_or_throw(comm));
        } catch (const Error& error) {
            throw Error(error.what());
        }
        return MPI_SUCCESS;
    };
    if (!errors_are_thrown()) return guarded(comm, told);
    try {
        return told();
    } catch (const std::exception& error) {
        return returned(error.what());
    }
}

}  // namespace echelon
