// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"

#include <mpi.h>

namespace echelon {

/// An MPI call failed. The exception carries its error code to the error handler of the user's communicator.
struct MpiError : Error {
    MpiError(int error_code, const char* call);
    int code;
};

/// Throws MpiError unless the call succeeded.
inline void check(int code, const char* call) {
    if (code != MPI_SUCCESS) throw MpiError(code, call);
}

}  // namespace echelon
