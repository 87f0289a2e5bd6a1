// SPDX-License-Identifier: Apache-2.0
// MPI's beginning and end, and what makes, names and frees communicators.
#include "cache/info_keys.hpp"
#include "cache/parting.hpp"
#include "front/crowd.hpp"
#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "front/introduce.hpp"
#include "front/race_at_start.hpp"
#include "mpi/clock.hpp"
#include "mpi/launcher_word.hpp"
#include "mpi/next.hpp"

namespace echelon {
namespace {

/// `init` is the library's own.
template <class Init>
int initialize(const Init& init) {
    LauncherWord::leave();
    const Seconds began = now();
    const int code = init();
    if (code != MPI_SUCCESS) return code;
    return guarded(MPI_COMM_WORLD, [began, took = now() - began] {
        if (Process* const process = Process::instance()) {
            process->allowance().begin(began);
            process->initialized();
            introduce(*process, MPI_COMM_WORLD);
            lead_in_crowd(*process);
            race_at_start(*process, took);
        }
        return MPI_SUCCESS;
    });
}

}  // namespace

int front_abort(MPI_Comm comm, int code) {
    if (Process* const process = Process::instance()) process->reporter().tell(Ending::abort);
    return next.Abort(comm, code);
}

int front_init(int* argc, char*** argv) {
    return initialize([&] { return next.Init(argc, argv); });
}

int front_init_thread(int* argc, char*** argv, int required, int* provided) {
    return initialize([&] { return next.Init_thread(argc, argv, required, provided); });
}

int front_set_info(MPI_Comm comm, MPI_Info info) {
    const int code = next.Comm_set_info(comm, info);
    Process* const process = code == MPI_SUCCESS ? Process::instance(comm) : nullptr;
    if (process == nullptr) return code;
    InfoKeys::take(*process, comm, info);
    if (State* const state = State::known(comm)) state->keys_changed();
    return MPI_SUCCESS;
}

int front_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
    const int code = next.Comm_dup_with_info(comm, info, made);
    Process* const process = code == MPI_SUCCESS ? Process::instance(comm) : nullptr;
    if (process == nullptr) return code;
    InfoKeys::drop(*process, *made);
    InfoKeys::take(*process, *made, info);
    introduce(*process, *made);
    return MPI_SUCCESS;
}

int front_free(MPI_Comm* comm) { return Parting::by(next.Comm_free, comm); }

int front_disconnect(MPI_Comm* comm) { return Parting::by(next.Comm_disconnect, comm); }

int front_made(int code, const MPI_Comm* made) {
    if (code != MPI_SUCCESS || *made == MPI_COMM_NULL) return code;
    if (Process* const process = Process::instance(*made)) introduce(*process, *made);
    return code;
}

int front_came(int code, const MPI_Comm* made) {
    if (code != MPI_SUCCESS || *made == MPI_COMM_NULL) return code;
    if (Process* const process = Process::instance(*made)) forget_dead(*process, *made);
    return code;
}

}  // namespace echelon
