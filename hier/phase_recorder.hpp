// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/phase_spans.hpp"
#include "hier/team.hpp"

#include <string>
#include <vector>

namespace echelon {

/// Notes which steps of a rank's program each phase of its recipe is, all but the outermost, which is the call. A pipelined
/// phase has none of its own, since its parts lie side by side; they have, segment after segment.
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
        /// The call, or pipelined: no span of its own.
        bool passed_over;
    };
    std::uint32_t number_of(const Phase& phase);

    PhaseSpans& spans_;
    int rank_;
    std::vector<Open> open_;  // the innermost last
};

}  // namespace echelon
