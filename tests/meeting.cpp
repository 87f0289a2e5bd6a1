// SPDX-License-Identifier: Apache-2.0
// Ranks that are at different places inside Echelon: meeting apart|away|alike. For tests/meeting_test.sh.
#include "mpi/meeting.hpp"

#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::string_view way = argc > 1 ? argv[1] : "";
    for (std::uint64_t number = 1; number < 4; ++number) echelon::meet(MPI_COMM_WORLD, {number, 7});
    const double patience = way == "away" ? 2 : 3600;
    if (way == "apart" && rank == 1)
        echelon::meet(MPI_COMM_WORLD, {4, 8}, patience);
    else if (way != "away" || rank != 1)
        echelon::meet(MPI_COMM_WORLD, {4, 7}, patience);
    // A rank that stays away is in a call of the program.
    if (way == "away") MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) std::puts("all met");
    MPI_Finalize();
}
