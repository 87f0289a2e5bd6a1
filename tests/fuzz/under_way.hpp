// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>
#include <string>
#include <vector>

namespace fuzz {

/// Ranks from which and to which a rank's blocks go.
struct Peers {
    std::vector<int> from, to;

    /// 0 to `ranks` - 1, both ways.
    static Peers all(int ranks);
    /// Neighbours in the communicator's topology; empty without one.
    static Peers near(MPI_Comm comm);
};

/// A collective of the MPI library's own that has begun on the user's communicator: nonblocking, or
/// persistent and started a second time at the end.
class UnderWay {
public:
    enum class Kind { barrier, allreduce, bcast, allgather, alltoall, near_allgather, near_alltoall };
    UnderWay(Kind kind, bool persistent, MPI_Comm comm, int rank, Peers peers, int root);
    UnderWay(UnderWay&&) = default;  // buffers stay where they are
    UnderWay& operator=(UnderWay&&) = default;
    /// Waits for its end. Returns a description of an error, or an empty string.
    std::string finish();
    std::string name() const;

private:
    void prepare();
    void make(MPI_Comm comm);
    template <class Now, class Init, class... Arguments>
    void begin(Now* now, Init init, Arguments... arguments);
    int right(std::size_t block, int i) const;

    Kind kind_;
    bool persistent_;
    int rank_, root_;
    Peers peers_;
    std::vector<int> give_, take_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace fuzz
