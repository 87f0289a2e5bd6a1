// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "front/errors.hpp"
#include "hier/lists.hpp"
#include "tuner/mail.hpp"

#include <echelon/echelon.h>

namespace echelon {

/// The tuner of `comm`; all tuning functions begin with it. Error: the communicator cannot be tuned.
inline Tuner& tuner_or_throw(MPI_Comm comm) {
    State* const state = State::of(comm);
    if (state == nullptr || !state->serves())
        throw Error(
            "this communicator is not tuned: it is null, an intercommunicator, of one rank, of several MPI_COMM_WORLDs, or MPI is not running");
    return Tuner::of(*state);
}

/// The text of an argument. Error: it is null.
inline std::string text_or_throw(const char* text, const char* what) {
    if (text == nullptr) throw Error(std::string("the argument ") + what + " is null: expected text");
    return text;
}
inline Collective collective_or_throw(const char* name) {
    return parse_collective(text_or_throw(name, "collective"));
}

/// Error: the range is empty.
ByteRange range_or_throw(std::size_t from, std::size_t to);

/// Copies `text`, null-terminated and cut to `length` characters, the terminator included.
void copy_text(const std::string& text, char* into, std::size_t length);

/// True while echelon.hpp throws this thread's errors.
bool& errors_are_thrown();

/// Runs a tuning function of echelon.h. Each error has the class for wrong arguments, including errors of the
/// MPI library.
template <class Call>
int tuned(MPI_Comm comm, Call&& call) {
    const auto told = [&] {
        try {
            if (!errors_are_thrown()) settle(tuner_or_throw(comm));
            call(tuner_or_throw(comm));
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
