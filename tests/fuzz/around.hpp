// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/program.hpp"
#include "fuzz/under_way.hpp"

#include <string>
#include <vector>

namespace fuzz {

/// Other communication on the user's communicator during a collective: it must neither take messages of the
/// collective nor give it any.
class Around {
public:
    /// On an intercommunicator `ranks` is the size of the remote group.
    Around(const Step& step, int repetition, MPI_Comm comm, int rank, int ranks);
    /// Waits for its end. Returns a description of an error, or an empty string.
    std::string finish();
    const std::vector<UnderWay>& collectives() const { return collectives_; }

private:
    const Step& step_;
    MPI_Comm comm_;
    int rank_, next_, previous_;
    int token_ = 0, arrived_ = -1;
    MPI_Request message_ = MPI_REQUEST_NULL;
    std::vector<UnderWay> collectives_;
};

}  // namespace fuzz
