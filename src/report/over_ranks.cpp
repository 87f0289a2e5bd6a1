// SPDX-License-Identifier: Apache-2.0
#include "report/over_ranks.hpp"

#include "mpi/check.hpp"
#include "mpi/clock.hpp"

#include <mpi.h>

#include <sched.h>
#include <algorithm>
#include <memory>

namespace echelon {
namespace {

void combine(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* const other = static_cast<const Spread*>(in);
    auto* const own = static_cast<Spread*>(inout);
    for (int i = 0; i < *count; ++i) own[i].add(other[i]);
}

}  // namespace

void Spread::add(const Spread& other) {
    least = std::min(least, other.least);
    sum += other.sum;
    most = std::max(most, other.most);
}

std::vector<Spread> over_ranks(std::span<const Spread> own, Seconds patience) {
    int rank = 0;
    check(PMPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    // If a rank does not come, the reduction still runs when MPI ends: its buffers must stay.
    auto mine = std::make_unique<std::vector<Spread>>(own.begin(), own.end());
    auto all = std::make_unique<std::vector<Spread>>(own.size());
    static_assert(sizeof(Spread) == 3 * sizeof(double));
    MPI_Datatype three = MPI_DATATYPE_NULL;
    check(PMPI_Type_contiguous(3, MPI_DOUBLE, &three), "MPI_Type_contiguous");
    check(PMPI_Type_commit(&three), "MPI_Type_commit");
    MPI_Op op = MPI_OP_NULL;
    check(PMPI_Op_create(combine, 1, &op), "MPI_Op_create");
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Ireduce(mine->data(), all->data(), int(own.size()), three, op, 0, MPI_COMM_WORLD, &request),
          "MPI_Ireduce");
    int arrived = 0;
    for (const double end = now() + patience; arrived == 0 && now() < end; sched_yield())
        check(PMPI_Test(&request, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
    if (arrived == 0) {
        (void)mine.release();
        (void)all.release();
        return {};
    }
    PMPI_Op_free(&op);
    PMPI_Type_free(&three);
    return rank == 0 ? std::move(*all) : std::vector<Spread>();
}

}  // namespace echelon
