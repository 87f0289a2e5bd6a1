// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/phase_spans.hpp"
#include "hier/team.hpp"

#include <string>
#include <vector>

namespace echelon {

/// Notes the steps of a rank's program that belong to each phase of its recipe. The outermost phase, the
/// call, is left out. A pipelined phase has no span, because its parts lie side by side; the parts have one
/// for each segment.
class PhaseRecorder final : public PhaseListener {
public:
    /// `spans` must outlive it.
    PhaseRecorder(PhaseSpans& spans, int rank) : spans_(spans), rank_(rank) {}

    /// Requires: a team that records.
    void began(const Phase& phase, Team& team, const Args& args) override;
    void ended() override;

private:
    struct Open {
        PhaseSpan span;
        const Recorder* recorder;
        /// True for the call and for a pipelined phase, which have no span.
        bool passed_over;
    };
    std::uint32_t number_of(const Phase& phase);

    PhaseSpans& spans_;
    int rank_;
    std::vector<Open> open_;  // the innermost last
};

}  // namespace echelon
