// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/check.hpp"

#include <utility>

namespace echelon {

/// The first error among the messages of a call, and in the memory that its ranks share. The schedule goes on
/// after it, with wrong data, so that no rank waits for one that gave up; then raise() makes it the error of the
/// call. All links of a communicator's teams share one.
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
