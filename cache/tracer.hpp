// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/slice.hpp"
#include "estimators/profile/source.hpp"
#include "hier/phase.hpp"
#include "hier/team.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace echelon {

/// Notes when each call and each of its phases began and ended, and writes that as a trace at the end. Phases
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
    /// `file`: a run_name().
    explicit Tracer(std::string file);

    /// Lives as long as this.
    const Kind* kind(Kind kind);
    void call(const Kind& kind, std::uint64_t began, std::uint64_t ended);
    void began(const Phase& phase, Team& team, const Args& args) override;
    void ended() override;

    /// If this rank was asked. A file that cannot be written is said on standard error.
    void write(int rank, double seconds_per_tick) const;

private:
    /// Beyond so many the first are kept, and the file says how many are missing: some hundred bytes each.
    static constexpr std::size_t most = 200000;

    struct Bar {
        std::uint64_t began, ended;
        /// Of a call; else of a phase.
        const Kind* kind;
        Collective collective;
        /// The algorithm's or the shape's.
        std::string_view name;
        Bytes bytes;
        int ranks, thread;
    };
    struct Thread {
        int number;
        /// Phases that have not ended, the innermost last.
        std::vector<Bar> open = {};
    };
    void add(const Bar& bar);
    Thread& this_thread();

    std::string file_;
    double first_second_;
    std::uint64_t first_tick_;
    mutable std::mutex mutex_;
    std::set<Kind> kinds_;
    std::map<std::thread::id, Thread> threads_;
    std::vector<Bar> bars_;
    std::size_t left_out_ = 0;
};

}  // namespace echelon
