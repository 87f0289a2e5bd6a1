// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/phase_spans.hpp"
#include "hier/perform.hpp"

#include <deque>
#include <memory>

namespace echelon {

/// A team that writes a program instead of communicating: how a recipe is proved, simulated, measured for its
/// scratch space and prepared for pipelining. The MPI library's own collectives are unknown here; a plain
/// algorithm stands in for them.
class RecordedTeam final : public Team {
public:
    /// `window`: what ranks of one node share; nothing where they share nothing. `listener`, if any, must outlive it.
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

    /// A division that was asked for, in the order in which it was.
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

/// A collective call as a recipe sees it.
struct Call {
    Collective collective;
    std::size_t count = 0;
    Bytes element_size = 1;
    int root = 0;
    Operation operation = {};

    /// What the algorithms are given.
    Args args(int p) const;
};

/// What all ranks do; `window`: what ranks of one node share. `phases`, if wanted, gets what each phase is of it. Error: the recipe
/// cannot serve the call.
Schedule record(const Recipe& recipe, const Call& call, const Placement& placement,
                std::optional<WindowShape> window = {}, PhaseSpans* phases = nullptr);

}  // namespace echelon
