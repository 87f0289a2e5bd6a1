// SPDX-License-Identifier: Apache-2.0
// PMIx's names of the fence in which an MPI library exchanges its ranks' data in MPI_Init. Echelon adds its
// word to the data; the PMIx library that the MPI library loaded does the work.
#include "mpi/launcher_word.hpp"
#include "mpi/loaded_function.hpp"
#include "mpi/presence.hpp"

#include <pmix.h>
#include <cstdlib>
#include <cstring>

namespace echelon {
namespace {

/// The function behind this library.
#define ECHELON_REAL(call) loaded_function<decltype(call)>(#call, "libpmix.so.2", RTLD_NEXT)

bool read_by_pmix(int rank) {
    const char* const space = std::getenv("PMIX_NAMESPACE");
    auto* const get = ECHELON_REAL(PMIx_Get);
    if (space == nullptr || get == nullptr) return false;
    pmix_proc_t process{};
    std::strncpy(process.nspace, space, PMIX_MAX_NSLEN);
    process.rank = pmix_rank_t(rank);
    // Do not wait: a word that is missing at this time never comes.
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

/// Puts this rank's word, once, before the fence collects the ranks' data.
void leave_word(const pmix_info_t info[], std::size_t count) {
    if (LauncherWord::read() != nullptr || !collects(info, count)) return;
    if (presence() != Presence::starting) return LauncherWord::miss();
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
