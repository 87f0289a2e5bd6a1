// SPDX-License-Identifier: Apache-2.0
#include "mpi/pending_calls.hpp"

#include "mpi/progress.hpp"

#include <algorithm>
#include <deque>
#include <list>
#include <thread>
#include <utility>
#include <vector>

namespace echelon {
namespace {

/// The calls on one route. A call with a tag of one that runs is queued, and all later calls behind it.
struct Lane {
    MPI_Comm comm;
    int first_tag;
    std::vector<std::unique_ptr<PendingCall>> running = {};
    std::deque<std::unique_ptr<PendingCall>> queued = {};

    bool is_empty() const { return running.empty() && queued.empty(); }
    bool may_run(const PendingCall& call) const {
        return std::ranges::none_of(running,
                                    [&](const auto& one) { return one->tags().overlaps(call.tags()); });
    }
    void advance() {
        for (auto& call : running)
            if (call->advance()) PendingCall::give_back(std::move(call));
        std::erase(running, nullptr);
        while (!queued.empty() && may_run(*queued.front())) {
            std::unique_ptr<PendingCall> call = std::move(queued.front());
            queued.pop_front();
            call->advance() ? PendingCall::give_back(std::move(call)) : running.push_back(std::move(call));
        }
    }
};

class UnderWay {
public:
    void advance() {
        if (busy_ || empty()) return;
        busy_ = true;  // MPI makes progress in the calls that follow, too
        while (takes_new() || test()) run();
        busy_ = false;
    }
    void add(std::unique_ptr<PendingCall> call) {
        lane_of(call->route()).queued.push_back(std::move(call));
        begin();
    }
    void add_persistent(std::shared_ptr<PendingCall> call) {
        started_.push_back(std::move(call));
        begin();
    }
    bool has(const Route& route) const {
        return std::ranges::any_of(lanes_, [&](const Lane& lane) { return is_on(lane, route); });
    }
    bool empty() const { return lanes_.empty() && started_.empty() && persistent_.empty(); }

private:
    void begin() {
        has_new_ = true;
        if (std::exchange(busy_, true)) return;  // an error handler of the program started it
        while (takes_new()) run();
        busy_ = false;
    }
    bool takes_new() { return std::exchange(has_new_, false); }
    static bool is_on(const Lane& lane, const Route& route) {
        return lane.comm == route.comm && lane.first_tag == route.first_tag;
    }
    Lane& lane_of(const Route& route) {
        for (Lane& lane : lanes_)
            if (is_on(lane, route)) return lane;
        lanes_.push_back({.comm = route.comm, .first_tag = route.first_tag});
        return lanes_.back();
    }
    /// Runs all calls until they wait.
    void run() {
        for (Lane& lane : lanes_) lane.advance();
        std::erase_if(lanes_, [](const Lane& lane) { return lane.is_empty(); });
        persistent_.insert(persistent_.end(), started_.begin(), started_.end());
        started_.clear();
        std::erase_if(persistent_, [](const auto& call) { return call->advance(); });
        Progress::expect(!empty());
        requests_.clear();
        awaited_.clear();
        for (const Lane& lane : lanes_)
            for (const auto& call : lane.running) list(*call);
        for (const auto& call : persistent_) list(*call);
        if (ended_.size() < requests_.size()) {
            ended_.resize(requests_.size());
            statuses_.resize(requests_.size());
        }
    }
    void list(PendingCall& call) {
        const std::size_t before = requests_.size();
        call.list_awaited(requests_);
        for (std::size_t i = before; i < requests_.size(); ++i) awaited_.push_back({&call, i - before});
    }
    /// True if some communication has ended, for which a call waits.
    bool test() {
        int count = 0;
        const int code =
            next.Testsome(int(requests_.size()), requests_.data(), &count, ended_.data(), statuses_.data());
        if (count == MPI_UNDEFINED) return false;
        for (int i = 0; i < count; ++i) {
            const MPI_Status& status = statuses_[std::size_t(i)];
            const auto& [call, number] = awaited_[std::size_t(ended_[std::size_t(i)])];
            call->complete(number, code == MPI_ERR_IN_STATUS ? status.MPI_ERROR : code, status);
        }
        return count > 0;
    }

    std::list<Lane> lanes_;  // without empty ones
    /// Persistent calls that run, and the ones that were started since run().
    std::vector<std::shared_ptr<PendingCall>> persistent_, started_;
    /// The communications for which calls wait, and for each its call and its number there.
    std::vector<MPI_Request> requests_;
    std::vector<std::pair<PendingCall*, std::size_t>> awaited_;
    std::vector<int> ended_;
    std::vector<MPI_Status> statuses_;
    /// Inside advance() or add(); a call was added since run().
    bool busy_ = false, has_new_ = false;
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

void PendingCalls::add(std::unique_ptr<PendingCall> call) { under_way().add(std::move(call)); }

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
