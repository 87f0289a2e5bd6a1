// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"

#include <mpi.h>

#include <string>

namespace echelon {

/// An MPI call failed. The exception carries its error code to the error handler of the user's communicator.
struct MpiError : Error {
    MpiError(int error_code, const char* call);
    int code;
};

/// An error that Echelon finds itself, with the class of MPI's error.
struct FoundError : Error {
    FoundError(int of_class, const std::string& sentence) : Error(sentence), error_class(of_class) {}
    int error_class;
};

/// Throws MpiError unless the call succeeded.
inline void check(int code, const char* call) {
    if (code != MPI_SUCCESS) throw MpiError(code, call);
}

}  // namespace echelon
