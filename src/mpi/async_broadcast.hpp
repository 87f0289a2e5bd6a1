// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

namespace echelon {

class AsyncBroadcasts;

/// A nonblocking broadcast of rank 0's text to all ranks of a communicator: no rank waits for another. All
/// ranks begin it in the same one of their common calls, and end it in the same one.
class AsyncBroadcast {
public:
    /// Bytes of text in the first message, beside the length; the rest follows in a second.
    static constexpr std::size_t usual_room = 2040;

    /// A blocking broadcast of the root's text. `room`: bytes of text in the first message, the same on all
    /// ranks. Collective.
    static std::string at_once(std::string text, MPI_Comm comm, std::size_t room = usual_room, int root = 0);

    AsyncBroadcast();
    ~AsyncBroadcast();
    AsyncBroadcast(const AsyncBroadcast&) = delete;
    AsyncBroadcast& operator=(const AsyncBroadcast&) = delete;

    /// Starts the first message, which travels while synchronising calls run. Requires: none is under way;
    /// the same `comm` and `room` on all ranks. Local.
    void begin(std::string text, MPI_Comm comm, std::size_t room = usual_room);
    /// True between begin() and end() or leave_to(); equal on all ranks.
    bool under_way() const { return head_ != nullptr; }
    /// Counts a call that begins. True: the message has almost surely arrived.
    bool has_had_time() { return --calls_left_ <= 0; }
    /// Ends the broadcast and returns the text. Requires: under_way(). Collective.
    std::string end();
    /// Waits for the first message; the broadcast stays under way. Local.
    void wait();
    /// Abandons the broadcast: its message completes among `others`. Local, without a call of MPI.
    void leave_to(AsyncBroadcasts& others);

private:
    struct Head;
    friend class AsyncBroadcasts;

    std::unique_ptr<Head> head_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::string text_;  // rank 0's
    MPI_Comm comm_ = MPI_COMM_NULL;
    int calls_left_ = 0;
};

/// Abandoned broadcasts, kept until their messages complete.
class AsyncBroadcasts {
public:
    AsyncBroadcasts();
    ~AsyncBroadcasts();
    /// Waits until all messages have completed. Local.
    void close();

private:
    friend class AsyncBroadcast;
    struct Left {
        std::unique_ptr<AsyncBroadcast::Head> head;
        MPI_Request request;
    };
    std::vector<Left> left_;
};

}  // namespace echelon
