// SPDX-License-Identifier: Apache-2.0
#include "api/errors.hpp"

#include <echelon/echelon.h>
#include <echelon/echelon.hpp>

#include <algorithm>
#include <cstring>

namespace {

template <class Call>
int tuned(MPI_Comm comm, Call&& call) {
    return echelon::guarded(comm, [&] {
        call();
        return MPI_SUCCESS;
    });
}

/// With its end, cut to `length`.
void copy_text(const std::string& text, char* into, std::size_t length) {
    if (length == 0) return;
    const std::size_t kept = std::min(text.size(), length - 1);
    std::memcpy(into, text.data(), kept);
    into[kept] = '\0';
}

}  // namespace

int echelon_allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm) {
    return echelon::allreduce(in, out, count, type, op, comm);
}

int echelon_reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                   MPI_Comm comm) {
    return echelon::reduce(in, out, count, type, op, root, comm);
}

int echelon_bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    return echelon::bcast(data, count, type, root, comm);
}

int echelon_barrier(MPI_Comm comm) { return echelon::barrier(comm); }

int echelon_gather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                   MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon::gather(in, in_count, in_type, out, out_count, out_type, root, comm);
}

int echelon_scatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                    MPI_Datatype out_type, int root, MPI_Comm comm) {
    return echelon::scatter(in, in_count, in_type, out, out_count, out_type, root, comm);
}

int echelon_allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                      MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm) {
    return echelon::allgather(in, in_count, in_type, out, out_count, out_type, comm);
}

int echelon_alltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                     MPI_Datatype out_type, MPI_Comm comm) {
    return echelon::alltoall(in, in_count, in_type, out, out_count, out_type, comm);
}

int echelon_reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm) {
    return echelon::reduce_scatter(in, out, counts, type, op, comm);
}

int echelon_reduce_scatter_c(const void* in, void* out, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
    return echelon::reduce_scatter(in, out, counts, type, op, comm);
}

int echelon_reduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                 MPI_Comm comm) {
    return echelon::reduce_scatter_block(in, out, count, type, op, comm);
}

int echelon_scan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return echelon::scan(in, out, count, type, op, comm);
}

int echelon_exscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return echelon::exscan(in, out, count, type, op, comm);
}

int echelon_force(MPI_Comm comm, const char* collective, const char* recipe, size_t from, size_t to,
                  int strict) {
    return tuned(comm, [&] { echelon::Tuning(comm).force(collective, recipe, from, to, strict != 0); });
}

int echelon_groups(MPI_Comm comm, const char* collective, int group_count, size_t from, size_t to) {
    return tuned(comm, [&] { echelon::Tuning(comm).groups(collective, group_count, from, to); });
}

int echelon_clear(MPI_Comm comm, const char* collective) {
    return tuned(comm, [&] { echelon::Tuning(comm).clear(collective); });
}

int echelon_would_run(MPI_Comm comm, const char* collective, size_t bytes, char* recipe, size_t length) {
    return tuned(
        comm, [&] { copy_text(echelon::Tuning(comm).would_run(collective, bytes).recipe, recipe, length); });
}

int echelon_policy(MPI_Comm comm, const char* collective, const char* policy, size_t from, size_t to) {
    return tuned(comm, [&] { echelon::Tuning(comm).policy(collective, policy, from, to); });
}

int echelon_trials(MPI_Comm comm, const char* collective, int percent, size_t from, size_t to) {
    return tuned(comm, [&] { echelon::Tuning(comm).trials(collective, percent, from, to); });
}

int echelon_best_groups(MPI_Comm comm, const char* collective, size_t bytes, int* groups) {
    return tuned(comm, [&] { *groups = echelon::Tuning(comm).best_groups(collective, bytes); });
}

int echelon_train(MPI_Comm comm, const char* collective, const size_t* sizes, int count, double seconds) {
    return tuned(comm, [&] { echelon::Tuning(comm).train(collective, {sizes, sizes + count}, seconds); });
}

int echelon_save(MPI_Comm comm, const char* file) {
    return tuned(comm, [&] { echelon::Tuning(comm).save(file); });
}

int echelon_load(MPI_Comm comm, const char* file) {
    return tuned(comm, [&] { echelon::Tuning(comm).load(file); });
}

int echelon_explain(MPI_Comm comm, const char* collective, size_t bytes, char* json, size_t length,
                    size_t* needed) {
    return tuned(comm, [&] {
        const std::string text = echelon::Tuning(comm).explain(collective, bytes).json;
        copy_text(text, json, length);
        if (needed != nullptr) *needed = text.size() + 1;
    });
}

const char* echelon_error_text(void) { return echelon::last_error_text(); }
