// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/mpi_team.hpp"
#include "cache/tally.hpp"
#include "cache/tracer.hpp"
#include "hier/recorded_team.hpp"
#include "mpi/engine.hpp"

#include <optional>
#include <string>

namespace echelon {

struct Contest;

/// A recipe and why it was taken.
struct Choice {
    Recipe recipe;
    Source source = Source::built_in;
    /// Why something that was asked for does not run; empty if all is as asked.
    std::string refusal = {};
    Evidence evidence = {};
};

/// What a call does, worked out once: the phases, the scratch space, and for pipelined recipes the program.
struct Plan {
    Choice choice;
    Phase phase;
    /// Elements of scratch space.
    std::size_t scratch = 0;
    /// This rank writes to its vector: it cannot be the user's send buffer.
    bool writes_data = true;
    /// Messages and elements that this rank sends in a call.
    std::size_t messages = 0, elements_sent = 0;
    /// Of pipelined recipes.
    std::unique_ptr<Program> program = {};
    std::unique_ptr<Engine> engine = {};

    /// That its calls are part of.
    Contest* contest = nullptr;
    /// So many calls of the class, and one more, run this plan before anybody has to think; nullptr: all of them.
    long* left = nullptr;
    /// This rank is the root of its calls.
    bool at_root = false;

    /// Where its calls are counted; nullptr where nobody asked for that.
    Tally::Counts* counts = nullptr;
    /// As what its calls are traced; nullptr where nobody asked for that.
    const Tracer::Kind* kind = nullptr;

    bool native() const { return phase.kind == Phase::Kind::native; }
};

/// Writes down what this rank will do, and from that fills in scratch, writes_data, messages and the program.
/// Requires: `team` has the divisions that the phases need. Local.
/// `window`: what ranks of a node share.
void prepare(Plan& plan, const Call& call, MpiTeam& team, Memory& memory, std::optional<WindowShape> window);

}  // namespace echelon
