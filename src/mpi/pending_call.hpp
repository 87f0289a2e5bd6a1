// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/comm.hpp"
#include "mpi/engine.hpp"
#include "mpi/first_error.hpp"
#include "mpi/inline_function.hpp"
#include "mpi/memory.hpp"
#include "mpi/mpi_link.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace echelon {

/// Tags of a route for one nonblocking collective, in the order of the calls: equal on all ranks.
struct TagRange {
    int first = 0, count = 0;
    bool overlaps(const TagRange& other) const {
        return first < other.first + other.count && other.first < first + count;
    }
};

/// The communicator of persistent collectives, which share it: the program starts them in any order, and also
/// after the end of its own communicator.
struct PersistentRoute {
    static constexpr int tags = 32768;  // MPI guarantees as many
    Comm comm;
    Route route;
    std::shared_ptr<const MPI_Comm> user;  // MPI_COMM_NULL after its end
    int next_tag = 0;
};
using PersistentTags = std::pair<std::shared_ptr<const PersistentRoute>, TagRange>;

/// A nonblocking collective of this rank: the steps of its program over one route, with memory of its own.
/// The program's request is a receive from the rank itself, which MPI completes, tests and waits for like any
/// other; the call sends the empty message at its end. A call that ends while it is started needs no message.
class PendingCall {
public:
    /// Calls of one plan that have ended, for its next ones.
    using Pool = std::vector<std::unique_ptr<PendingCall>>;
    /// Number of tags that a program needs: one for each strand, one for the request, one for messages to
    /// oneself.
    static int needed_tags(const Program& program) { return int(program.strands.size()) + 2; }
    /// `user`: the communicator whose error handler hears of errors.
    PendingCall(const Route& route, std::shared_ptr<const Program> program, MPI_Comm user);
    /// A call for these tags: of the pool, or a new one that returns there.
    static std::unique_ptr<PendingCall> from(const std::shared_ptr<Pool>& pool, const Route& route,
                                             TagRange tags, const std::shared_ptr<const Program>& program,
                                             MPI_Comm user);
    /// Returns a short call to its pool, if the plan still exists. Requires: it has ended.
    static void give_back(std::unique_ptr<PendingCall> call);

    /// A persistent call: these tags of the route are its own.
    PendingCall(std::shared_ptr<const PersistentRoute> route, TagRange tags,
                std::shared_ptr<const Program> program);
    /// Sets the function that hands over the results. Required before the call runs.
    template <class End>
    void set_end(const End& end) {
        end_.set(end);
    }
    /// Makes the program that follows the first one, and sets the memory for it.
    using MakeNext = std::function<std::shared_ptr<const Program>(Memory&)>;
    /// Adds a second program. A persistent call runs the first one only once.
    void set_next(MakeNext make) { next_ = std::move(make); }
    /// Its request, which the program starts as often as it wants.
    MPI_Request make_persistent_request();
    /// Prepares a persistent call to run again, after its request was started.
    void restart() { use(tags_); }

    /// The communicator whose error handler hears of errors; null after the end of a persistent call's.
    MPI_Comm user() const { return shared_ != nullptr ? *shared_->user : user_; }
    Memory& memory() { return memory_; }
    const Route& route() const { return route_; }
    const TagRange& tags() const { return tags_; }

    /// Makes the request of a call that was started, and may have ended.
    MPI_Request make_request();
    /// Runs until it waits for messages. True: the call has ended, and its request, if made, is complete.
    /// `handle` calls the error handler of a communicator.
    bool advance(void (*handle)(MPI_Comm comm, int code));
    /// See Engine.
    void list_awaited(std::vector<MPI_Request>& requests) { engine_->list_awaited(requests); }
    void complete(std::size_t i, int code, const MPI_Status& status) { engine_->complete(i, code, status); }

private:
    int own_rank() const { return route_.in_comm(route_.rank); }
    void use(TagRange tags);
    void run(std::shared_ptr<const Program> program);
    void begin_program();
    void complete_request();

    std::shared_ptr<const PersistentRoute> shared_;  // of a persistent call
    Route route_;
    TagRange tags_ = {};
    std::shared_ptr<const Program> program_;
    MPI_Comm user_;
    FirstError first_error_;
    enum class Result { none, done, failed } result_ = Result::none;
    bool has_request_ = false;
    Memory memory_;
    std::deque<MpiLink> links_;
    std::optional<Engine> engine_;
    MakeNext next_;
    InlineFunction<Memory> end_;
    std::weak_ptr<Pool> pool_;
};

}  // namespace echelon
