// SPDX-License-Identifier: Apache-2.0
#include "mpi/binned_sum.hpp"

#include "core/order_free_sum.hpp"
#include "mpi/check.hpp"

#include <atomic>
#include <mutex>

namespace echelon {
namespace {

std::atomic<MPI_Datatype> type = MPI_DATATYPE_NULL;
std::atomic<MPI_Op> operation = MPI_OP_NULL;
std::mutex making;

void add(void* in, void* inout, int* count, MPI_Datatype*) {
    add_binned(inout, in, inout, std::size_t(*count));
}

}  // namespace

MPI_Datatype binned_type() {
    if (type == MPI_DATATYPE_NULL) {
        const std::scoped_lock lock(making);
        if (type != MPI_DATATYPE_NULL) return type;
        MPI_Datatype made = MPI_DATATYPE_NULL;
        check(PMPI_Type_contiguous(int(sizeof(Binned) / sizeof(std::int64_t)), MPI_INT64_T, &made),
              "MPI_Type_contiguous");
        check(PMPI_Type_commit(&made), "MPI_Type_commit");
        type = made;
    }
    return type;
}

MPI_Op binned_sum() {
    if (operation == MPI_OP_NULL) {
        constexpr int commutes = 1;
        const std::scoped_lock lock(making);
        if (operation != MPI_OP_NULL) return operation;
        MPI_Op made = MPI_OP_NULL;
        check(PMPI_Op_create(add, commutes, &made), "MPI_Op_create");
        operation = made;
    }
    return operation;
}

bool is_binned_sum(MPI_Op op) { return op == operation.load(std::memory_order_relaxed); }

void free_binned_sum() {
    MPI_Datatype made_type = type.exchange(MPI_DATATYPE_NULL);
    MPI_Op made = operation.exchange(MPI_OP_NULL);
    if (made_type != MPI_DATATYPE_NULL) PMPI_Type_free(&made_type);
    if (made != MPI_OP_NULL) PMPI_Op_free(&made);
}

}  // namespace echelon
