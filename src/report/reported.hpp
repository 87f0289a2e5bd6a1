// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/summary.hpp"

namespace echelon {

/// The state of a communicator, as the attribute's callback, the end of MPI and the summary need it.
class Reported {
public:
    virtual ~Reported() = default;
    Reported(const Reported&) = delete;
    Reported& operator=(const Reported&) = delete;

    /// Its counts, with its name if `mpi_runs`.
    virtual CommunicatorRecord record(bool mpi_runs) const = 0;
    /// Frees the communicators made for it. Only memory is left.
    virtual void close() = 0;
    /// True while it does not hang on its communicator.
    virtual bool is_detached() const = 0;

protected:
    Reported() = default;
};

}  // namespace echelon
