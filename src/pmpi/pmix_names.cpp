// SPDX-License-Identifier: Apache-2.0
// PMIx's names of the call in which an MPI library collects, in MPI_Init, what its ranks have to say to each
// other: Echelon's word goes along. Whatever PMIx the MPI library has brought does the work.
#include "mpi/launcher_word.hpp"

#include <dlfcn.h>
#include <pmix.h>
#include <cstdlib>
#include <cstring>

namespace echelon {
namespace {

/// Open MPI loads its PMIx where RTLD_NEXT does not look.
template <class Function>
Function* real(const char* name) {
    void* found = dlsym(RTLD_NEXT, name);
    if (found == nullptr)
        if (void* const library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_NOLOAD))
            found = dlsym(library, name);
    return reinterpret_cast<Function*>(found);
}
#define ECHELON_REAL(call) real<decltype(call)>(#call)

bool read_by_pmix(int rank) {
    const char* const space = std::getenv("PMIX_NAMESPACE");
    auto* const get = ECHELON_REAL(PMIx_Get);
    if (space == nullptr || get == nullptr) return false;
    pmix_proc_t process{};
    std::strncpy(process.nspace, space, PMIX_MAX_NSLEN);
    process.rank = pmix_rank_t(rank);
    // What is not there now never comes.
    pmix_info_t at_once{};
    std::strncpy(at_once.key, PMIX_IMMEDIATE, PMIX_MAX_KEYLEN);
    at_once.value.type = PMIX_BOOL;
    at_once.value.data.flag = true;
    pmix_value_t* found = nullptr;
    if (get(&process, LauncherWord::key, &at_once, 1, &found) != PMIX_SUCCESS) return false;
    if (found != nullptr && found->type == PMIX_STRING) std::free(found->data.string);
    std::free(found);
    return true;
}

bool collects(const pmix_info_t info[], std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (std::strncmp(info[i].key, PMIX_COLLECT_DATA, PMIX_MAX_KEYLEN) == 0)
            return info[i].value.type != PMIX_BOOL || info[i].value.data.flag;
    return false;
}

/// Once, before the ranks' words are collected.
void leave_word(const pmix_info_t info[], std::size_t count) {
    if (LauncherWord::read() != nullptr || !collects(info, count)) return;
    auto* const put = ECHELON_REAL(PMIx_Put);
    auto* const commit = ECHELON_REAL(PMIx_Commit);
    if (put == nullptr || commit == nullptr) return;
    pmix_value_t word{};
    word.type = PMIX_STRING;
    word.data.string = const_cast<char*>(LauncherWord::value);
    if (put(PMIX_GLOBAL, LauncherWord::key, &word) == PMIX_SUCCESS && commit() == PMIX_SUCCESS)
        LauncherWord::left(read_by_pmix);
}

}  // namespace
}  // namespace echelon

#define ECHELON_PMIX_NAME extern "C" __attribute__((visibility("default"))) pmix_status_t

ECHELON_PMIX_NAME PMIx_Fence(const pmix_proc_t processes[], size_t count, const pmix_info_t info[],
                             size_t infos) {
    echelon::leave_word(info, infos);
    auto* const fence = echelon::ECHELON_REAL(PMIx_Fence);
    return fence != nullptr ? fence(processes, count, info, infos) : PMIX_ERR_NOT_SUPPORTED;
}

ECHELON_PMIX_NAME PMIx_Fence_nb(const pmix_proc_t processes[], size_t count, const pmix_info_t info[],
                                size_t infos, pmix_op_cbfunc_t done, void* data) {
    echelon::leave_word(info, infos);
    auto* const fence = echelon::ECHELON_REAL(PMIx_Fence_nb);
    return fence != nullptr ? fence(processes, count, info, infos, done, data) : PMIX_ERR_NOT_SUPPORTED;
}
