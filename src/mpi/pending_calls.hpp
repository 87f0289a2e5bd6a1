// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/pending_call.hpp"
#include "mpi/progress_thread.hpp"

#include <memory>

namespace echelon {

/// The nonblocking and persistent collectives of this process that are under way. They advance whenever the
/// MPI library makes progress, if one thread at a time calls MPI; or by a thread of their own.
class PendingCalls {
public:
    /// Takes part in the library's progress; false: nonblocking calls stay native.
    static bool join();
    /// A thread of their own advances them, from the first turn on.
    static void join_by_thread();
    /// Ends the part of either kind. Calls that are added later run to their end at once.
    static void leave();
    /// Ends the thread, if it runs. Requires: MPI_Finalize has not begun, and no other thread calls MPI.
    static void end_thread() {
        if (thread_ != nullptr) leave();
    }

    /// While it lives, no other thread touches the calls, or what they share with their plans. Must not last
    /// while ranks wait for each other. With calls that the program advances it does nothing.
    class Turn {
    public:
        Turn() : thread_(PendingCalls::thread_) {
            if (thread_ != nullptr) begin();
        }
        ~Turn() {
            if (thread_ != nullptr) thread_->unlock();
        }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

    private:
        void begin();
        ProgressThread* const thread_;
    };

    /// Runs a call, at once as far as possible. Returns its request. Requires: a turn.
    static MPI_Request add(std::unique_ptr<PendingCall> call);
    /// Runs a persistent call that is not under way. Its tags are its own: it waits for no other call.
    /// Requires: a turn.
    static void add_persistent(std::shared_ptr<PendingCall> call);
    /// Calls the communicator's error handler, which may start calls, outside of the turn. Requires: a turn.
    static void call_error_handler(MPI_Comm comm, int code);
    /// Advances them, for callers that wait without MPI. True: some wait for the caller.
    static bool advance();
    /// Waits until all nonblocking calls on the route have ended. Requires: all its ranks have started them.
    static void finish(const Route& route);
    /// Sets the communicator that persistent calls know to null, when none calls its error handler.
    static void forget(MPI_Comm& user);

private:
    static constinit inline ProgressThread* thread_ = nullptr;
};

}  // namespace echelon
