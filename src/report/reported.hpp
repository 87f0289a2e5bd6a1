// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/summary.hpp"

namespace echelon {

/// A communicator in the summary.
class Reported {
public:
    virtual ~Reported() = default;
    Reported(const Reported&) = delete;
    Reported& operator=(const Reported&) = delete;

    /// Its counts, with its name if `mpi_runs`.
    virtual CommunicatorRecord record(bool mpi_runs) const = 0;

protected:
    Reported() = default;
};

}  // namespace echelon
