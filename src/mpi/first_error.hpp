// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/check.hpp"

#include <utility>

namespace echelon {

/// The first error of a call, in messages or in shared memory. The schedule continues after it with wrong
/// data: no rank waits for one that gave up. At the end raise() throws it as the call's error. All links of a
/// communicator share one.
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
