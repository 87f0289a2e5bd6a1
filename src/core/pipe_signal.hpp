// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace echelon {

/// Keeps SIGPIPE from this thread: while it lives, a write to a pipe without a reader fails with EPIPE.
class PipeSignalBlocked {
public:
    PipeSignalBlocked();
    ~PipeSignalBlocked();
    PipeSignalBlocked(const PipeSignalBlocked&) = delete;
    PipeSignalBlocked& operator=(const PipeSignalBlocked&) = delete;

private:
    sigset_t before_{};
    bool was_pending_;
};

}  // namespace echelon
