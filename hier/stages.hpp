// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/error.hpp"
#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

/// Runs stages one after the other. If the shape has a segment size, each stage runs on a strand of its own:
/// stage i takes up a segment as soon as stage i - 1 has finished it. It serves all shapes and collectives.
/// `stage(i, segment)` does the work of stage i.
template <class Stage>
void run_stages(const Phase& phase, Team& team, const Slice& data, std::size_t stages, Stage&& stage) {
    if (phase.segment == 0) {
        for (std::size_t i = 0; i < stages; ++i) stage(i, data);
        return;
    }
    Recorder* recorder = team.recorder();
    if (recorder == nullptr) throw Error("a pipelined recipe must be recorded before it runs");
    const Segments segments(data, segment_elements(phase.segment, team.link().element_size()));
    for (std::size_t strand = 0; strand < stages; ++strand) {
        recorder->on_strand(strand);
        for (std::size_t i = 0; i < segments.size(); ++i) {
            if (strand > 0) recorder->await(strand - 1, i + 1);
            stage(strand, segments[i]);
            recorder->mark();
        }
    }
}

}  // namespace echelon
