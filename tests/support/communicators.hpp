// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace echelon {

/// The first `p` ranks of the world, for the time of a scope; null on the others.
class FirstRanks {
public:
    explicit FirstRanks(int p) {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_split(MPI_COMM_WORLD, rank < p ? 0 : MPI_UNDEFINED, rank, &comm_);
    }
    ~FirstRanks() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    }
    FirstRanks(const FirstRanks&) = delete;
    FirstRanks& operator=(const FirstRanks&) = delete;

    explicit operator bool() const { return comm_ != MPI_COMM_NULL; }
    MPI_Comm get() const { return comm_; }
    int rank() const {
        int rank = 0;
        MPI_Comm_rank(comm_, &rank);
        return rank;
    }
    int size() const {
        int size = 0;
        MPI_Comm_size(comm_, &size);
        return size;
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace echelon
