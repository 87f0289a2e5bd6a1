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
    void advance() {
        if (busy_ || empty()) return;
        busy_ = true;  // MPI makes progress in the calls that follow, too
        do {
            if (changed_) run();
        } while (test());
        busy_ = false;
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
        const bool ended = call.advance();
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
                if (calls_[i].runs && call.advance()) PendingCall::give_back(std::move(calls_[i].call));
            }
            for (std::size_t i = 0; i < persistent_.size(); ++i)
                if (const auto call = persistent_[i]; call->advance()) persistent_[i] = nullptr;
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

    std::vector<Call> calls_;  // in the order of their starts
    std::vector<std::shared_ptr<PendingCall>> persistent_;
    /// The communications for which calls wait, and for each its call and its number there.
    std::vector<MPI_Request> requests_;
    std::vector<std::pair<PendingCall*, std::size_t>> awaited_;
    std::vector<int> ended_;
    std::vector<MPI_Status> statuses_;
    /// Inside advance() or add(); calls may move on, or were added, since run().
    bool busy_ = false, changed_ = false;
};

/// Never destroyed: MPI may make progress until the process ends. Simulated ranks never join.
UnderWay& under_way() {
    static auto& all = *new UnderWay;
    return all;
}

bool joined = false;

}  // namespace

bool PendingCalls::join() {
    (void)under_way();
    return joined = Progress::join([] { under_way().advance(); });
}

void PendingCalls::leave() {
    Progress::leave();
    joined = false;
}

MPI_Request PendingCalls::add(std::unique_ptr<PendingCall> call) { return under_way().add(std::move(call)); }

void PendingCalls::add_persistent(std::shared_ptr<PendingCall> call) {
    under_way().add_persistent(std::move(call));
}

bool PendingCalls::advance() {
    if (!joined) return false;
    under_way().advance();
    return !under_way().empty();
}

void PendingCalls::finish(const Route& route) {
    while (joined && under_way().has(route)) {
        (void)advance();
        std::this_thread::yield();
    }
}

}  // namespace echelon
