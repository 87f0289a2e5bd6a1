// SPDX-License-Identifier: Apache-2.0
// echelon::Persistent: requests that move, and outlive their communicator.
#include <echelon/echelon.hpp>

#include <cstdio>
#include <utility>
#include <vector>

int main() {
    MPI_Init(nullptr, nullptr);
    int rank = 0, size = 0, wrong = 0;
    MPI_Comm copy;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    std::vector<int> in(10), sum(10), all(std::size_t(2 * size));
    {
        std::vector<echelon::Persistent> calls;
        calls.emplace_back(echelon_allreduce_init, in.data(), sum.data(), 10, MPI_INT, MPI_SUM, copy);
        calls.emplace_back(echelon_allgather_init, in.data(), 2, MPI_INT, all.data(), 2, MPI_INT, copy);
        calls.emplace_back(echelon_barrier_init, copy);
        std::swap(calls[0], calls[2]);
        for (int round = 0; round < 4; ++round) {
            in.assign(10, rank + round);
            for (echelon::Persistent& call : calls) wrong += call.code() + call.start() != MPI_SUCCESS;
            for (echelon::Persistent& call : calls) wrong += call.wait() != MPI_SUCCESS;
            wrong += sum[9] != size * round + size * (size - 1) / 2;
            wrong += all[2] != 1 + round;
            if (round == 2) MPI_Comm_free(&copy);
        }
    }
    if (wrong != 0) std::printf("rank %d: %d wrong\n", rank, wrong);
    MPI_Finalize();
    return wrong != 0;
}
