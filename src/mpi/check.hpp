// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"

#include <mpi.h>

#include <utility>

namespace echelon {

/// An MPI call failed: carries its error code to the error handler of the user's communicator.
struct MpiError : Error {
    MpiError(int error_code, const char* call);
    int code;
};

/// Throws MpiError unless the call succeeded.
inline void check(int code, const char* call) {
    if (code != MPI_SUCCESS) throw MpiError(code, call);
}

/// The first error among the messages of a call. The schedule goes on after it, with wrong data, so that no
/// rank waits for one that gave up; then raise() makes it the error of the call.
class FirstError {
public:
    void keep(int code, const char* call) {
        if (code == MPI_SUCCESS || code_ != MPI_SUCCESS) return;
        code_ = code;
        call_ = call;
    }
    bool any() const { return code_ != MPI_SUCCESS; }
    void raise() { check(std::exchange(code_, MPI_SUCCESS), call_); }

private:
    int code_ = MPI_SUCCESS;
    const char* call_ = "";
};

}  // namespace echelon
