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
        found_here_ = false;
    }
    /// Keeps an error that Echelon finds itself. Requires: the sentence outlives this.
    void keep_found(int error_class, const char* sentence) {
        if (code_ != MPI_SUCCESS) return;
        code_ = error_class;
        call_ = sentence;
        found_here_ = true;
    }
    bool any() const { return code_ != MPI_SUCCESS; }
    void raise() {
        const int code = std::exchange(code_, MPI_SUCCESS);
        if (code != MPI_SUCCESS && found_here_) throw FoundError(code, call_);
        check(code, call_);
    }

private:
    int code_ = MPI_SUCCESS;
    const char* call_ = "";  // or the sentence
    bool found_here_ = false;
};

}  // namespace echelon
