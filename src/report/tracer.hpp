// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/phase_spans.hpp"
#include "core/slice.hpp"
#include "estimators/profile/source.hpp"
#include "hier/phase.hpp"
#include "hier/team.hpp"
#include "settings/settings.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace echelon {

/// Records the times of the requested calls and of their phases, and writes them as a trace at the end.
/// Phases of a pipelined recipe overlap and have no bars. Safe to use from several threads.
class Tracer final : public PhaseListener {
public:
    /// A kind of calls: they differ only in their times.
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

    /// Stores a kind; the pointer stays valid. Null: calls of this size were not requested.
    const Kind* kind(Kind kind);
    /// Counts a call that begins on this thread. Returns true if it was requested: then call() must end it.
    bool begins() {
        const std::uint64_t number = calls_.fetch_add(1, std::memory_order_relaxed) + 1;
        if (number < request_.first || number > request_.last) return false;
        listen();
        return true;
    }
    void call(const Kind& kind, std::uint64_t began, std::uint64_t ended);
    void began(const Phase& phase, Team& team, const Args& args) override;
    void ended() override;

    /// Writes the trace, if this rank writes one. If the file cannot be written, a message goes to standard
    /// error.
    void write(int rank, double seconds_per_tick) const;

private:
    /// Limit for the number of bars, of some hundred bytes each. The first ones are kept, and the trace's
    /// title counts the missing ones.
    static constexpr std::size_t most = 200000;

    /// Identifies a phase; cheap to compare, because each phase of each call is looked up.
    struct PhaseKey {
        Collective collective;
        const Algorithm* algorithm;
        int radix;
        Bytes segment;
        /// The schedule of a flat phase, the recipe of any other.
        std::string text;
        auto operator<=>(const PhaseKey&) const = default;
    };
    struct Bar {
        std::uint64_t began, ended;
        /// The kind of a call's bar; null for a phase's bar. `phase` is null for a call's bar.
        const Kind* kind;
        const PhaseSpans::Name* phase;
        Bytes bytes;
        int ranks, thread;
    };
    struct Thread {
        int number;
        /// True while a requested call is under way.
        bool listens = false;
        /// Bars of phases that have not ended, the innermost last.
        std::vector<Bar> open = {};
    };
    void listen();
    void add(const Bar& bar);
    Thread& this_thread();
    /// The calling thread; null if it is in no requested call.
    Thread* listening_thread();
    const PhaseSpans::Name& name_of(const Phase& phase);
    /// The title of the trace: command and selection of calls.
    std::string title() const;

    const TraceRequest request_;
    double first_second_;
    std::uint64_t first_tick_;
    /// Number of calls of the requested sizes that have begun.
    std::atomic<std::uint64_t> calls_ = 0;
    /// Number of requested calls under way. With 0, phases need no look-up of the thread.
    std::atomic<int> under_way_ = 0;
    mutable std::mutex mutex_;
    std::set<Kind> kinds_;
    std::map<PhaseKey, PhaseSpans::Name> phases_;
    std::map<std::thread::id, Thread> threads_;
    std::vector<Bar> bars_;
    std::size_t left_out_ = 0;
};

}  // namespace echelon
