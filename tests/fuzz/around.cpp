// SPDX-License-Identifier: Apache-2.0
#include "fuzz/around.hpp"

#include <utility>

namespace fuzz {

Around::Around(const Step& step, int repetition, MPI_Comm comm, int rank, int ranks)
    : step_(step),
      comm_(comm),
      rank_(rank),
      next_((rank + 1) % ranks),
      previous_((rank + ranks - 1) % ranks),
      token_(1000 * repetition + rank) {
    if (step.wildcard == 1) MPI_Irecv(&arrived_, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message_);
    if (step.wildcard == 2) MPI_Isend(&token_, 1, MPI_INT, next_, int(step.seed % 1000), comm, &message_);
    const auto begin = [&](UnderWay::Kind kind, Peers peers) {
        collectives_.emplace_back(kind, step.persistent != 0, comm, rank, std::move(peers),
                                  step.root % ranks);
    };
    if (step.pending) begin(UnderWay::Kind(step.pending - 1), Peers::all(ranks));
    int topology = MPI_UNDEFINED;
    if (step.near) PMPI_Topo_test(comm, &topology);
    if (topology != MPI_UNDEFINED)
        begin(step.near == 1 ? UnderWay::Kind::near_allgather : UnderWay::Kind::near_alltoall,
              Peers::near(comm));
}

std::string Around::finish() {
    std::string wrong;
    const int tag = int(step_.seed % 1000);
    MPI_Status status;
    if (step_.wildcard == 1) {
        MPI_Send(&token_, 1, MPI_INT, next_, tag, comm_);
        MPI_Wait(&message_, &status);
    } else if (step_.wildcard == 2) {
        MPI_Recv(&arrived_, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &status);
        MPI_Wait(&message_, MPI_STATUS_IGNORE);
    }
    if (step_.wildcard && arrived_ != token_ - rank_ + previous_)
        wrong = "a receive from anyone got " + std::to_string(arrived_) + " from rank " +
                std::to_string(status.MPI_SOURCE) + " with tag " + std::to_string(status.MPI_TAG) +
                " in place of the program's message, tag " + std::to_string(tag);
    for (UnderWay& collective : collectives_)
        if (const std::string of_it = collective.finish(); !of_it.empty()) wrong = of_it;
    return wrong;
}

}  // namespace fuzz
