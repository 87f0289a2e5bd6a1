// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/settings.hpp"
#include "core/collective.hpp"
#include "core/phase_spans.hpp"
#include "core/slice.hpp"
#include "estimators/profile/source.hpp"
#include "hier/phase.hpp"
#include "hier/team.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace echelon {

/// Notes when each call that was asked for and each of its phases began and ended, and writes that as a trace at the end. Phases
/// of a pipelined recipe run into each other and are not told apart. Several threads may have calls at once.
class Tracer final : public PhaseListener {
public:
    /// Calls that differ in their times alone.
    struct Kind {
        Tracer* tracer;
        Collective collective;
        std::string recipe;
        Source source;
        Bytes bytes;
        int ranks;
        auto operator<=>(const Kind&) const = default;
    };
    explicit Tracer(TraceRequest request);

    /// Lives as long as this. Nullptr: calls of so many bytes are not asked for.
    const Kind* kind(Kind kind);
    /// A call of some kind begins on this thread; whether it is one of those that were asked for. Then call() ends it.
    bool begins() {
        const std::uint64_t number = calls_.fetch_add(1, std::memory_order_relaxed) + 1;
        if (number < request_.first || number > request_.last) return false;
        listen();
        return true;
    }
    void call(const Kind& kind, std::uint64_t began, std::uint64_t ended);
    void began(const Phase& phase, Team& team, const Args& args) override;
    void ended() override;

    /// If this rank was asked. A file that cannot be written is said on standard error.
    void write(int rank, double seconds_per_tick) const;

private:
    /// Beyond so many the first are kept, and the file says how many are missing: some hundred bytes each.
    static constexpr std::size_t most = 200000;

    /// What tells phases apart at little cost: it is looked at for each of them.
    struct PhaseKey {
        Collective collective;
        const Algorithm* algorithm;
        int radix;
        Bytes segment;
        /// Of a flat phase its schedule, else the recipe.
        std::string text;
        auto operator<=>(const PhaseKey&) const = default;
    };
    struct Bar {
        std::uint64_t began, ended;
        /// Of a call; else of a phase.
        const Kind* kind;
        const PhaseSpans::Name* phase;
        Bytes bytes;
        int ranks, thread;
    };
    struct Thread {
        int number;
        /// A call that was asked for is under way.
        bool listens = false;
        /// Phases that have not ended, the innermost last.
        std::vector<Bar> open = {};
    };
    void listen();
    void add(const Bar& bar);
    Thread& this_thread();
    /// Nullptr: it is in no call that was asked for.
    Thread* listening_thread();
    const PhaseSpans::Name& name_of(const Phase& phase);
    /// What the trace is of.
    std::string title() const;

    const TraceRequest request_;
    double first_second_;
    std::uint64_t first_tick_;
    /// That have begun, of the sizes that were asked for.
    std::atomic<std::uint64_t> calls_ = 0;
    /// Of those that were asked for: nobody looks for the thread where there are none.
    std::atomic<int> under_way_ = 0;
    mutable std::mutex mutex_;
    std::set<Kind> kinds_;
    std::map<PhaseKey, PhaseSpans::Name> phases_;
    std::map<std::thread::id, Thread> threads_;
    std::vector<Bar> bars_;
    std::size_t left_out_ = 0;
};

}  // namespace echelon
