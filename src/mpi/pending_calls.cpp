// SPDX-License-Identifier: Apache-2.0
#include "mpi/pending_calls.hpp"

#include "mpi/progress.hpp"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace echelon {
namespace {

/// The calls in the order of their calls. Simulated ranks have none.
class UnderWay {
public:
    void advance() {
        if (busy_ || all_.empty()) return;
        busy_ = true;  // MPI makes progress in the calls of a call, too
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (!must_wait(i) && all_[i]->advance()) all_[i].reset();
        std::erase(all_, nullptr);
        busy_ = false;
    }
    void add(std::unique_ptr<PendingCall> call) {
        all_.push_back(std::move(call));
        if (std::exchange(busy_, true)) return;  // an error handler of the program starts it
        if (!must_wait(all_.size() - 1) && all_.back()->advance()) all_.back().reset();
        std::erase(all_, nullptr);
        busy_ = false;
    }
    bool has(MPI_Comm comm, int first_tag) const {
        return std::ranges::any_of(all_, [&](const auto& one) { return one->is_on(comm, first_tag); });
    }

private:
    /// True if an earlier call must end first.
    bool must_wait(std::size_t i) const {
        return std::any_of(all_.begin(), all_.begin() + std::ptrdiff_t(i), [&](const auto& earlier) {
            return earlier != nullptr && earlier->meets(*all_[i]);
        });
    }

    std::vector<std::unique_ptr<PendingCall>> all_;
    bool busy_ = false;
};

/// Never destroyed: MPI may make progress until the process ends.
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

void PendingCalls::finish(MPI_Comm comm, int first_tag) {
    while (joined && under_way().has(comm, first_tag)) {
        under_way().advance();
        std::this_thread::yield();
    }
}

}  // namespace echelon
