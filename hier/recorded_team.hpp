// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/phase_spans.hpp"
#include "hier/perform.hpp"

#include <deque>
#include <memory>

namespace echelon {

/// A team that records a program instead of communicating. Recipes are proved, simulated, measured for their
/// scratch space and prepared for pipelining with it. A plain algorithm stands in for the MPI library's own
/// collectives, which are unknown here.
class RecordedTeam final : public Team {
public:
    /// `window`: the window that ranks of one node share; empty: none. `listener`, if any, must outlive the
    /// team.
    RecordedTeam(Recorder recorder, Placement placement, std::optional<WindowShape> window = {},
                 PhaseListener* listener = nullptr)
        : recorder_(std::move(recorder)),
          placement_(std::move(placement)),
          window_(window),
          listener_(listener) {
        if (window_ && placement_.node_count() == 1 && placement_.size() > 1) recorder_.share(*window_);
    }

    Link& link() override { return recorder_; }
    const Placement& placement() const override { return placement_; }
    const Split& split(const Groups& groups) override;
    void native(Collective collective, const Args& args) override;
    Recorder* recorder() override { return &recorder_; }
    PhaseListener* listener() override { return listener_; }

    /// A division that was requested; divisions() has them in the order of their first request.
    struct Division {
        Groups groups;
        Split split;
        std::unique_ptr<RecordedTeam> inside, across;
    };
    const std::deque<Division>& divisions() const { return divisions_; }
    /// This team's number in the program's links.
    std::size_t number() const { return recorder_.number(); }

private:
    Recorder recorder_;
    Placement placement_;
    std::optional<WindowShape> window_;
    PhaseListener* listener_;
    std::deque<Division> divisions_;
};

/// The blocks of a call whose lengths differ, by rank. In an alltoall they are those that this rank receives
/// and sends; in the other collectives, one for each rank.
struct GivenBlocks {
    Blocks blocks;
    std::optional<Blocks> sent = {};
    friend bool operator==(const GivenBlocks&, const GivenBlocks&) = default;
};

/// A collective call as a recipe sees it.
struct Call {
    Collective collective;
    std::size_t count = 0;
    Bytes element_size = 1;
    int root = 0;
    Operation operation = {};
    /// Blocks of different lengths; none: blocks of equal length.
    std::optional<GivenBlocks> given = {};

    /// Arguments of the algorithms.
    Args args(int p) const;
};

/// The schedule of all ranks. `window`: the window that ranks of one node share. `phases`, if given, receives
/// the spans of the phases. Error: the recipe cannot serve the call.
Schedule record(const Recipe& recipe, const Call& call, const Placement& placement,
                std::optional<WindowShape> window = {}, PhaseSpans* phases = nullptr);

}  // namespace echelon
