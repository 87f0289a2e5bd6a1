// SPDX-License-Identifier: Apache-2.0
#include "fuzz/around.hpp"

namespace fuzz {
namespace {

constexpr int n = 3;
int value(int rank, int i) { return 100 * rank + i; }

}  // namespace

Around::Around(const Step& step, int repetition, MPI_Comm comm, int rank, int ranks)
    : step_(step),
      comm_(comm),
      rank_(rank),
      ranks_(ranks),
      next_((rank + 1) % ranks),
      previous_((rank + ranks - 1) % ranks),
      token_(1000 * repetition + rank),
      give_(std::size_t(n * ranks)),
      take_(std::size_t(n * ranks), -1) {
    if (step.wildcard == 1) MPI_Irecv(&arrived_, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message_);
    if (step.wildcard == 2) MPI_Isend(&token_, 1, MPI_INT, next_, int(step.seed % 1000), comm, &message_);
    for (std::size_t i = 0; i < give_.size(); ++i) give_[i] = value(rank, int(i));
    const int root = step.root % ranks;
    switch (step.pending) {
        case 1:
            MPI_Ibarrier(comm, &collective_);
            break;
        case 2:
            MPI_Iallreduce(give_.data(), take_.data(), n, MPI_INT, MPI_SUM, comm, &collective_);
            break;
        case 3:
            if (rank == root) take_ = give_;
            MPI_Ibcast(take_.data(), n, MPI_INT, root, comm, &collective_);
            break;
        case 4:
            MPI_Iallgather(give_.data(), n, MPI_INT, take_.data(), n, MPI_INT, comm, &collective_);
            break;
        case 5:
            MPI_Ialltoall(give_.data(), n, MPI_INT, take_.data(), n, MPI_INT, comm, &collective_);
            break;
        default:
            break;
    }
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
    MPI_Wait(&collective_, MPI_STATUS_IGNORE);
    const int root = step_.root % ranks_;
    for (int i = 0; i < (step_.pending >= 4 ? n * ranks_ : n) && step_.pending > 1; ++i) {
        const int other = i / n;
        const int right = step_.pending == 2   ? ranks_ * i + 100 * ranks_ * (ranks_ - 1) / 2
                          : step_.pending == 3 ? value(root, i)
                          : step_.pending == 4 ? value(other, i % n)
                                               : value(other, n * rank_ + i % n);
        if (take_[std::size_t(i)] != right) wrong = "the nonblocking collective under way has a wrong result";
    }
    return wrong;
}

}  // namespace fuzz
