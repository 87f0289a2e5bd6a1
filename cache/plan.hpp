// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/call_counter.hpp"
#include "cache/mpi_team.hpp"
#include "hier/recorded_team.hpp"
#include "mpi/engine.hpp"
#include "mpi/pending_call.hpp"
#include "report/tally.hpp"
#include "report/tracer.hpp"

#include <optional>
#include <string>

namespace echelon {

/// A recipe and the origin of its choice.
struct Choice {
    Recipe recipe;
    Source source = Source::built_in;
    /// Reason why a requested recipe does not run; empty if no request was refused.
    std::string refusal = {};
    Evidence evidence = {};
};

struct StartedPlan;

/// The program of numbers that comes before the blocks of a call whose ranks know only their own
/// (hier/lengths.hpp).
struct Numbers {
    std::shared_ptr<const Program> program;
    /// The length of its vector.
    Bytes bytes = 0;
    /// The engine that runs it in a blocking call; null in others.
    std::unique_ptr<Engine> engine = {};
    /// The plan of the blocks of a nonblocking call; null in others, whose plan it belongs to.
    std::shared_ptr<StartedPlan> blocks = {};
};

/// The prepared execution of a call: the phases, the scratch space, and the program of a pipelined recipe.
struct Plan {
    Choice choice;
    Phase phase;
    /// The blocks for which it is prepared; none: blocks of equal length.
    std::optional<GivenBlocks> given = {};
    /// Elements of scratch space.
    std::size_t scratch = 0;
    /// True if this rank writes to its vector, which then cannot be the user's send buffer.
    bool writes_data = true;
    /// Messages and elements that this rank sends in a call.
    std::size_t messages = 0, elements_sent = 0;
    /// The program of a pipelined recipe and the engine that runs it, or the program of a nonblocking call;
    /// null for others.
    std::shared_ptr<const Program> program = {};
    std::unique_ptr<Engine> engine = {};

    /// The program is null, if each rank knows what it needs. A nonblocking call begins with it.
    std::shared_ptr<Numbers> numbers = {};

    /// Nonblocking calls that have ended; null for plans of blocking ones.
    std::shared_ptr<PendingCall::Pool> ended = {};

    /// The counter of its class; null: the plan holds for all calls.
    CallCounter* counter = nullptr;
    /// The row that counts its calls; null without a summary.
    Tally::Counts* counts = nullptr;
    /// The kind of its calls in the trace; null if they are not traced.
    const Tracer::Kind* kind = nullptr;

    bool native() const { return phase.kind == Phase::Kind::native; }
};

/// Records the steps of this rank, and fills in scratch, writes_data, messages, elements_sent and the
/// program. `window`: the shape of shared memory, if ranks have some. Requires: `team` has the divisions that
/// the phases need. Local.
void prepare(Plan& plan, const Call& call, MpiTeam& team, Memory& memory, std::optional<WindowShape> window);
/// Records the program of a nonblocking call, in which all ranks send messages on one route. Local.
void prepare_started(Plan& plan, const Call& call, const Placement& placement, int rank);

/// A plan of nonblocking calls with what it takes to prepare it for other blocks.
struct StartedPlan {
    Plan plan;
    Call call;
    Placement placement;
    int rank;

    void fit(const GivenBlocks& given);
    /// A plan like this one before any fit().
    std::shared_ptr<StartedPlan> renewed() const;
};

/// Records the program of numbers of a plan, if its recipe needs one, with the requirements of prepare() and
/// prepare_started(). Local.
void prepare_numbers(Plan& plan, const Call& call, MpiTeam& team, Memory& memory);
void prepare_started_numbers(Plan& plan, const Call& call, const Placement& placement, int rank);

}  // namespace echelon
