// SPDX-License-Identifier: Apache-2.0
// The beginning and the end of MPI, and the functions that make, name and free communicators.
#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "front/startup_benchmark.hpp"
#include "front/tool_variables.hpp"
#include "mpi/clock.hpp"
#include "mpi/launcher_word.hpp"
#include "mpi/next.hpp"
#include "mpi/pending_calls.hpp"
#include "mpi/presence.hpp"
#include "mpi/quirks.hpp"
#include "settings/info_keys.hpp"
#include "tuner/on_creation.hpp"
#include "tuner/oversubscription.hpp"

namespace echelon {
namespace {

/// `init` is the function of the MPI library.
template <class Init>
int initialize(const Init& init) {
    const Presence before = presence();
    set_presence(Presence::starting);
    LauncherWord::leave();
    const Seconds began = now();
    const int code = init();
    set_presence(code == MPI_SUCCESS ? Presence::seen : before);
    if (code != MPI_SUCCESS) return code;
    return guarded(MPI_COMM_WORLD, [began, took = now() - began] {
        if (Process* const process = Process::instance()) {
            SharedTuning::of(*process).allowance().begin(began);
            process->initialized();
            add_tool_variables(*process);
            if (names_stay_native()) return MPI_SUCCESS;
            on_creation(*process, MPI_COMM_WORLD);
            decide_oversubscribed(*process);
            startup_benchmark(*process, took);
        }
        return MPI_SUCCESS;
    });
}

/// The process, if it takes info keys; else null. Ranks without the drop-in library cannot take them.
Process* taker_of_keys(MPI_Comm comm) { return names_stay_native() ? nullptr : Process::instance(comm); }

void take_keys(Process& process, MPI_Comm comm, MPI_Info info) {
    for (const std::string& complaint : InfoKeys::take(process.keys_keyval(), comm, info))
        process.log().once(process.speaks(), complaint);
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

int front_finalize() {
    PendingCalls::end_thread();
    if constexpr (!quirks::sends_in_finalize) PMPI_Barrier(MPI_COMM_WORLD);
    return next.Finalize();
}

int front_set_info(MPI_Comm comm, MPI_Info info) {
    const int code = next.Comm_set_info(comm, info);
    Process* const process = code == MPI_SUCCESS ? taker_of_keys(comm) : nullptr;
    if (process == nullptr) return code;
    take_keys(*process, comm, info);
    if (State* const state = State::known(comm); state != nullptr && state->serves())
        Tuner::of(*state).keys_changed();
    return MPI_SUCCESS;
}

int front_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
    const int code = next.Comm_dup_with_info(comm, info, made);
    Process* const process = code == MPI_SUCCESS ? taker_of_keys(comm) : nullptr;
    if (process == nullptr) return code;
    InfoKeys::drop(process->keys_keyval(), *made);
    take_keys(*process, *made, info);
    on_creation(*process, *made);
    return MPI_SUCCESS;
}

int front_free(MPI_Comm* comm) { return State::free_by(next.Comm_free, comm); }

int front_disconnect(MPI_Comm* comm) { return State::free_by(next.Comm_disconnect, comm); }

int front_made(int code, const MPI_Comm* made) {
    if (code != MPI_SUCCESS || *made == MPI_COMM_NULL) return code;
    if (Process* const process = Process::instance(*made)) on_creation(*process, *made);
    return code;
}

int front_new_handle(int code, const MPI_Comm* made) {
    if (code != MPI_SUCCESS || *made == MPI_COMM_NULL) return code;
    if (Process::instance(*made) != nullptr) State::forget_dead(*made);
    return code;
}

}  // namespace echelon
