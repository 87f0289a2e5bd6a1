// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/program.hpp"

#include <array>
#include <string>
#include <vector>

namespace fuzz {

/// What else is under way on the user's communicator while a collective runs: it must neither take messages
/// of the collective nor give it any.
class Around {
public:
    Around(const Step& step, int repetition, MPI_Comm comm, int rank, int ranks);
    /// Waits for it. What was wrong, or nothing.
    std::string finish();

private:
    const Step& step_;
    MPI_Comm comm_;
    int rank_, ranks_, next_, previous_;
    int token_ = 0, arrived_ = -1;
    std::vector<int> give_, take_;
    MPI_Request message_ = MPI_REQUEST_NULL, collective_ = MPI_REQUEST_NULL;
};

}  // namespace fuzz
