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

/// The handle that `make` makes for the first caller.
template <class Handle, class Make>
Handle made_once(std::atomic<Handle>& handle, Handle none, const Make& make) {
    if (handle == none) {
        const std::scoped_lock lock(making);
        if (handle == none) {
            Handle made = none;
            make(made);
            handle = made;
        }
    }
    return handle;
}

}  // namespace

MPI_Datatype binned_type() {
    return made_once(type, MPI_Datatype(MPI_DATATYPE_NULL), [](MPI_Datatype& made) {
        check(PMPI_Type_contiguous(int(sizeof(Binned) / sizeof(std::int64_t)), MPI_INT64_T, &made),
              "MPI_Type_contiguous");
        check(PMPI_Type_commit(&made), "MPI_Type_commit");
    });
}

MPI_Op binned_sum() {
    constexpr int commutes = 1;
    return made_once(operation, MPI_Op(MPI_OP_NULL),
                     [](MPI_Op& made) { check(PMPI_Op_create(add, commutes, &made), "MPI_Op_create"); });
}

bool is_binned_sum(MPI_Op op) { return op == operation.load(std::memory_order_relaxed); }

void free_binned_sum() {
    MPI_Datatype made_type = type.exchange(MPI_DATATYPE_NULL);
    MPI_Op made = operation.exchange(MPI_OP_NULL);
    if (made_type != MPI_DATATYPE_NULL) PMPI_Type_free(&made_type);
    if (made != MPI_OP_NULL) PMPI_Op_free(&made);
}

}  // namespace echelon
