// SPDX-License-Identifier: Apache-2.0
#include "mpi/pending_calls.hpp"

#include "mpi/progress.hpp"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace echelon {
namespace {

class UnderWay {
public:
    /// True: some are left, and the caller may go on.
    bool advance() {
        if (busy_ || empty()) return false;
        busy_ = true;  // MPI makes progress in the calls that follow, too
        do {
            if (changed_) run();
        } while (test());
        busy_ = false;
        return !empty();
    }
    MPI_Request add(std::unique_ptr<PendingCall> call) {
        const bool runs = !busy_ && may_run(*call, calls_.size());
        const bool ended = runs && advance_alone(*call);
        const MPI_Request request = call->make_request();
        if (ended)
            PendingCall::give_back(std::move(call));
        else
            calls_.push_back({std::move(call), runs});
        changed_ = changed_ || !runs;
        settle();
        return request;
    }
    void add_persistent(std::shared_ptr<PendingCall> call) {
        const bool runs = !busy_;
        if (!runs || !advance_alone(*call)) persistent_.push_back(std::move(call));
        changed_ = changed_ || !runs;
        settle();
    }
    bool has(const Route& route) const {
        return std::ranges::any_of(calls_, [&](const Call& one) { return one.is_on(route); });
    }
    bool empty() const { return calls_.empty() && persistent_.empty(); }

private:
    /// A nonblocking call. It does not run while an earlier call on its route has one of its tags.
    struct Call {
        std::unique_ptr<PendingCall> call;
        bool runs;

        bool is_on(const Route& route) const {
            return call != nullptr && call->route().comm == route.comm &&
                   call->route().first_tag == route.first_tag;
        }
    };

    /// True if none of the first `before` calls on its route has a tag of this call, or does not run itself.
    bool may_run(const PendingCall& call, std::size_t before) const {
        return std::none_of(calls_.begin(), calls_.begin() + std::ptrdiff_t(before), [&](const Call& one) {
            return one.is_on(call.route()) && (!one.runs || one.call->tags().overlaps(call.tags()));
        });
    }
    /// Runs a call that is not in the lists yet. True: it has ended.
    bool advance_alone(PendingCall& call) {
        busy_ = true;
        const bool ended = call.advance(handle);
        busy_ = false;
        if (!ended) list(call);
        return ended;
    }
    /// Runs the calls that error handlers of the program have started, unless a handler is the caller.
    void settle() {
        if (busy_) return;
        if (!changed_) return Progress::expect(!empty());
        busy_ = true;
        run();
        busy_ = false;
    }
    /// Runs all calls until they wait, and lists the messages that they await. Error handlers may add calls.
    void run() {
        while (std::exchange(changed_, false)) {
            for (std::size_t i = 0; i < calls_.size(); ++i) {
                PendingCall& call = *calls_[i].call;
                calls_[i].runs = calls_[i].runs || may_run(call, i);
                if (calls_[i].runs && call.advance(handle)) PendingCall::give_back(std::move(calls_[i].call));
            }
            for (std::size_t i = 0; i < persistent_.size(); ++i)
                if (const auto call = persistent_[i]; call->advance(handle)) persistent_[i] = nullptr;
            std::erase_if(calls_, [](const Call& one) { return one.call == nullptr; });
            std::erase(persistent_, nullptr);
        }
        requests_.clear();
        awaited_.clear();
        for (const Call& one : calls_)
            if (one.runs) list(*one.call);
        for (const auto& call : persistent_) list(*call);
        Progress::expect(!empty());
    }
    void list(PendingCall& call) {
        const std::size_t before = requests_.size();
        call.list_awaited(requests_);
        for (std::size_t i = before; i < requests_.size(); ++i) awaited_.push_back({&call, i - before});
        if (ended_.size() < requests_.size()) {
            ended_.resize(requests_.size());
            statuses_.resize(requests_.size());
        }
    }
    /// True if some communication has ended, for which a call waits.
    bool test() {
        if (requests_.empty()) return false;
        int count = 0;
        const int code =
            next.Testsome(int(requests_.size()), requests_.data(), &count, ended_.data(), statuses_.data());
        if (count == MPI_UNDEFINED) return false;
        for (int i = 0; i < count; ++i) {
            const MPI_Status& status = statuses_[std::size_t(i)];
            const auto& [call, number] = awaited_[std::size_t(ended_[std::size_t(i)])];
            call->complete(number, code == MPI_ERR_IN_STATUS ? status.MPI_ERROR : code, status);
        }
        changed_ = changed_ || count > 0;
        return changed_;
    }

    static constexpr auto handle = PendingCalls::call_error_handler;

    std::vector<Call> calls_;  // in the order of their starts
    std::vector<std::shared_ptr<PendingCall>> persistent_;
    /// The communications for which calls wait, and for each its call and its number there.
    std::vector<MPI_Request> requests_;
    std::vector<std::pair<PendingCall*, std::size_t>> awaited_;
    std::vector<int> ended_;
    std::vector<MPI_Status> statuses_;
    /// Inside advance() or add(), maybe on another thread, whose error handler runs.
    bool busy_ = false;
    /// Calls may move on, or were added, since run().
    bool changed_ = false;
};

/// Never destroyed: MPI may make progress until the process ends. Simulated ranks never join.
UnderWay& under_way() {
    static auto& all = *new UnderWay;
    return all;
}

bool joined = false;

/// The error handler of the program that runs outside of a turn.
struct {
    MPI_Comm comm = MPI_COMM_NULL;
    std::thread::id thread = {};
} handler;

/// Leaves the calls to the thread, if there is one. Runs them to their end, if nothing else will.
void leave_to(ProgressThread* thread) {
    if (thread != nullptr && !under_way().empty()) thread->wake();
    while (!joined && under_way().advance()) std::this_thread::yield();
}

/// Waits while `condition()` holds, which is asked under the lock of the thread, if there is one.
template <class Condition>
void wait_while(ProgressThread* thread, const Condition& condition) {
    for (;;) {
        {
            std::unique_lock<ProgressThread> lock;
            if (thread != nullptr) lock = std::unique_lock(*thread);
            if (!condition()) return;
        }
        (void)PendingCalls::advance();
        std::this_thread::yield();
    }
}

}  // namespace

bool PendingCalls::join() {
    (void)under_way();
    return joined = Progress::join([] { under_way().advance(); });
}

void PendingCalls::join_by_thread() {
    (void)under_way();
    // Never destroyed: the program may exit without MPI_Finalize.
    thread_ = new ProgressThread([] { return under_way().advance(); });
    joined = true;
}

void PendingCalls::leave() {
    if (thread_ != nullptr) std::exchange(thread_, nullptr)->end();
    Progress::leave();
    joined = false;
}

void PendingCalls::Turn::begin() {
    thread_->lock();
    try {
        thread_->start();
    } catch (...) {
        thread_->unlock();
        throw;
    }
}

MPI_Request PendingCalls::add(std::unique_ptr<PendingCall> call) {
    const MPI_Request request = under_way().add(std::move(call));
    leave_to(thread_);
    return request;
}

void PendingCalls::add_persistent(std::shared_ptr<PendingCall> call) {
    under_way().add_persistent(std::move(call));
    leave_to(thread_);
}

void PendingCalls::call_error_handler(MPI_Comm comm, int code) {
    ProgressThread* const thread = thread_;
    if (thread == nullptr) {
        PMPI_Comm_call_errhandler(comm, code);
        return;
    }
    handler = {comm, std::this_thread::get_id()};
    thread->unlock();
    PMPI_Comm_call_errhandler(comm, code);
    thread->lock();
    handler = {};
}

bool PendingCalls::advance() { return joined && thread_ == nullptr && under_way().advance(); }

void PendingCalls::finish(const Route& route) {
    wait_while(thread_, [&] { return joined && under_way().has(route); });
}

void PendingCalls::forget(MPI_Comm& user) {
    wait_while(thread_, [&] {
        const bool waits =
            user != MPI_COMM_NULL && handler.comm == user && handler.thread != std::this_thread::get_id();
        if (!waits) user = MPI_COMM_NULL;
        return waits;
    });
}

}  // namespace echelon
