// SPDX-License-Identifier: Apache-2.0
#include "mpi/watchdog.hpp"

#include "core/say.hpp"
#include "mpi/next.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <list>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

namespace echelon {

namespace {

using Clock = std::chrono::steady_clock;

/// The communication that a rank waits for: a message, or a collective of the library.
struct Wait {
    /// "a message to", "a message from", or the collective's name.
    const char* what = nullptr;
    /// Size of the communicator.
    int ranks = 0;
    bool is_message = false;
    /// Rank in MPI_COMM_WORLD, or MPI_UNDEFINED.
    int peer = MPI_UNDEFINED;
    MPI_Count bytes = 0;
    MPI_Request request = MPI_REQUEST_NULL;
};

struct Running {
    std::string what;
    Clock::time_point began = Clock::now();
    bool told = false;
    std::vector<Wait> messages = {};  // under way
    std::vector<Wait> waits = {};     // the call waits for one of these
    long ended = 0;                   // number of messages and collectives
};

/// All running calls of this process, at most one per thread. Never destroyed: the watching thread runs until
/// the process ends.
struct Board {
    std::mutex mutex;
    std::list<Running> calls;
};
Board& board() {
    static Board& made = *new Board;
    return made;
}
thread_local Running* running = nullptr;

/// The functions that `next` had before.
Next behind;

std::string sentence(const Wait& wait) {
    const std::string among = "in a group of " + std::to_string(wait.ranks) + " ranks";
    if (!wait.is_message) return std::string(wait.what) + ' ' + among;
    return std::string(wait.what) + ' ' +
           (wait.peer == MPI_UNDEFINED ? "a rank outside of MPI_COMM_WORLD"
                                       : "rank " + std::to_string(wait.peer) + " of MPI_COMM_WORLD") +
           " (" + std::to_string(wait.bytes) + " bytes, " + among + ')';
}

std::string sentence(const Running& call, int seconds, int rank) {
    std::string text = "echelon: rank " + std::to_string(rank) + ": " + call.what + " takes more than " +
                       std::to_string(seconds) + " s; ";
    if (call.waits.empty())
        text += "it is combining or copying";
    else
        text += "it waits for " + sentence(call.waits.front());
    if (call.waits.size() > 1) text += " or for one of " + std::to_string(call.waits.size() - 1) + " others";
    return text + ", after " + std::to_string(call.ended) + " that have come\n";
}

void look_after(int seconds, int rank) {
    const auto often = std::chrono::milliseconds(100);
    while (true) {
        std::this_thread::sleep_for(often);
        const std::scoped_lock lock(board().mutex);
        for (Running& call : board().calls)
            if (!call.told && Clock::now() - call.began > std::chrono::seconds(seconds)) {
                call.told = true;
                say_lines(sentence(call, seconds, rank));
            }
    }
}

int ranks_of(MPI_Comm comm) {
    int ranks = 0;
    PMPI_Comm_size(comm, &ranks);
    return ranks;
}

int in_world(int peer, MPI_Comm comm) {
    MPI_Group own = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    int translated = MPI_UNDEFINED;
    PMPI_Comm_group(comm, &own);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(own, 1, &peer, world, &translated);
    PMPI_Group_free(&own);
    PMPI_Group_free(&world);
    return translated;
}

void note_start(const char* what, int count, MPI_Datatype type, int peer, MPI_Comm comm,
                MPI_Request request) {
    if (running == nullptr) return;
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    const Wait wait{.what = what,
                    .ranks = ranks_of(comm),
                    .is_message = true,
                    .peer = in_world(peer, comm),
                    .bytes = size * count,
                    .request = request};
    const std::scoped_lock lock(board().mutex);
    running->messages.push_back(wait);
}

int isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
          MPI_Request* request) {
    const int code = behind.Isend(data, count, type, to, tag, comm, request);
    note_start("a message to", count, type, to, comm, *request);
    return code;
}

int issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
           MPI_Request* request) {
    const int code = behind.Issend(data, count, type, to, tag, comm, request);
    note_start("a message to", count, type, to, comm, *request);
    return code;
}

int irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    const int code = behind.Irecv(data, count, type, from, tag, comm, request);
    note_start("a message from", count, type, from, comm, *request);
    return code;
}

/// The note of a request. Requests that complete at once may share a handle; then any of their notes will do.
auto message_of(MPI_Request request) {
    return std::find_if(running->messages.begin(), running->messages.end(),
                        [&](const Wait& message) { return message.request == request; });
}

/// Calls the waiting function `call` and notes the requests that it waits for. `call` writes the index of the
/// request that ended; the result is MPI's code.
template <class Waiting>
int wait_for(const MPI_Request* requests, int count, const Waiting& call) {
    if (running == nullptr) return call(nullptr);
    const std::vector<MPI_Request> handles(requests, requests + count);
    {
        const std::scoped_lock lock(board().mutex);
        for (const MPI_Request handle : handles)
            if (const auto message = message_of(handle); message != running->messages.end())
                running->waits.push_back(*message);
    }
    int ended = 0;
    const int code = call(&ended);
    const std::scoped_lock lock(board().mutex);
    running->waits.clear();
    ++running->ended;
    if (ended >= 0 && ended < count)
        if (const auto message = message_of(handles[std::size_t(ended)]); message != running->messages.end())
            running->messages.erase(message);
    return code;
}

int blocking_send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    note_start("a message to", count, type, to, comm, MPI_REQUEST_NULL);
    const MPI_Request sent = MPI_REQUEST_NULL;
    return wait_for(&sent, 1, [&](int*) { return behind.Send(data, count, type, to, tag, comm); });
}

int wait(MPI_Request* request, MPI_Status* status) {
    return wait_for(request, 1, [&](int*) { return behind.Wait(request, status); });
}

int waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    return wait_for(requests, count, [&](int* ended) {
        const int code = behind.Waitany(count, requests, index, status);
        if (ended != nullptr) *ended = *index;
        return code;
    });
}

template <class Function, Function Next::*call>
struct Told;
template <class... Arguments, int (*Next::*call)(Arguments...)>
struct Told<int (*)(Arguments...), call> {
    static inline const char* name = nullptr;
    static int run(Arguments... arguments) {
        if (running == nullptr) return (behind.*call)(arguments...);
        // A collective's last argument is the communicator.
        const Wait wait{.what = name,
                        .ranks = ranks_of(std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...)))};
        {
            const std::scoped_lock lock(board().mutex);
            running->waits.push_back(wait);
        }
        const int code = (behind.*call)(arguments...);
        const std::scoped_lock lock(board().mutex);
        running->waits.clear();
        ++running->ended;
        return code;
    }
};

template <class Function, Function Next::*call>
void tell(const char* name) {
    Told<Function, call>::name = name;
    next.*call = &Told<Function, call>::run;
}

}  // namespace

void Watchdog::watch(int seconds, int rank) {
    if (quirks::simulated || watches_) return;
    behind = next;
    next.Send = blocking_send;
    next.Isend = isend;
    next.Issend = issend;
    next.Irecv = irecv;
    next.Wait = wait;
    next.Waitany = waitany;
#define ECHELON_TELL(call) tell<decltype(Next::call), &Next::call>("MPI_" #call);
    ECHELON_TELL(Reduce)
    ECHELON_TELL(Allreduce)
    ECHELON_TELL(Bcast)
    ECHELON_TELL(Barrier)
    ECHELON_TELL(Alltoall)
    ECHELON_TELL(Reduce_scatter)
    ECHELON_TELL(Scan)
    ECHELON_TELL(Exscan)
    ECHELON_TELL(Allgatherv)
    ECHELON_TELL(Gatherv)
    ECHELON_TELL(Scatterv)
#undef ECHELON_TELL
    // The program's signals are for its own threads.
    sigset_t all{}, before{};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread(look_after, seconds, rank).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    watches_ = true;
}

Watchdog::Call::Call(std::string what) {
    const std::scoped_lock lock(board().mutex);
    running = &board().calls.emplace_back(Running{.what = std::move(what)});
}

Watchdog::Call::~Call() {
    const std::scoped_lock lock(board().mutex);
    board().calls.remove_if([](const Running& call) { return &call == running; });
    running = nullptr;
}

}  // namespace echelon
