// SPDX-License-Identifier: Apache-2.0
// MPI's C++ bindings if the library has them, else C++ calling C: equal results with and without Echelon in
// front.
#include <mpi.h>
#include <iostream>
#include <numeric>
#include <vector>

int main(int argc, char** argv) {
#ifdef ECHELON_CXX_BINDINGS
    MPI::Init(argc, argv);
    MPI::Intracomm& world = MPI::COMM_WORLD;
    const int rank = world.Get_rank(), size = world.Get_size();
    const auto allreduce = [&](const void* in, void* out, int n) {
        world.Allreduce(in, out, n, MPI::DOUBLE, MPI::SUM);
    };
    const auto reduce = [&](const void* in, void* out, int n, int root) {
        world.Reduce(in, out, n, MPI::DOUBLE, MPI::MAX, root);
    };
    const auto bcast = [&](void* data, int n, int root) { world.Bcast(data, n, MPI::DOUBLE, root); };
    const auto barrier = [&] { world.Barrier(); };
    const void* const in_place = MPI::IN_PLACE;
#else
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const auto allreduce = [&](const void* in, void* out, int n) {
        MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    };
    const auto reduce = [&](const void* in, void* out, int n, int root) {
        MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_MAX, root, MPI_COMM_WORLD);
    };
    const auto bcast = [&](void* data, int n, int root) {
        MPI_Bcast(data, n, MPI_DOUBLE, root, MPI_COMM_WORLD);
    };
    const auto barrier = [&] { MPI_Barrier(MPI_COMM_WORLD); };
    const void* const in_place = MPI_IN_PLACE;
#endif
    for (const int n : {1, 1000}) {
        std::vector<double> mine(n), result(n, -1);
        std::iota(mine.begin(), mine.end(), rank);
        allreduce(mine.data(), result.data(), n);
        const double first = std::accumulate(result.begin(), result.end(), 0.0);
        result = mine;
        allreduce(in_place, result.data(), n);
        reduce(mine.data(), result.data(), n, size - 1);
        bcast(result.data(), n, size - 1);
        barrier();
        if (rank == 0)
            std::cout << n << ": " << first << ' ' << std::accumulate(result.begin(), result.end(), 0.0)
                      << '\n';
    }
#ifdef ECHELON_CXX_BINDINGS
    MPI::Finalize();
#else
    MPI_Finalize();
#endif
}
