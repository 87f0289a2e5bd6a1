// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/error.hpp"
#include "hier/phase.hpp"
#include "hier/site.hpp"

namespace echelon {

/// Runs stages one after the other, or, where the shape has a segment size, each on a strand of its own:
/// stage i takes up a segment as soon as stage i - 1 has finished it. Written once, for all shapes and
/// collectives.
template <class... Stages>
void run_stages(const Phase& phase, Site& site, const Slice& data, Stages&&... stages) {
    if (phase.segment == 0) {
        (stages(data), ...);
        return;
    }
    Recorder* recorder = site.recorder();
    if (recorder == nullptr) throw Error("a pipelined recipe must be recorded before it runs");
    const Segments segments(data, segment_elements(phase.segment, site.link().element_size()));
    std::size_t strand = 0;
    const auto on_its_strand = [&](auto& stage) {
        recorder->on_strand(strand);
        for (std::size_t i = 0; i < segments.size(); ++i) {
            if (strand > 0) recorder->await(strand - 1, i + 1);
            stage(segments[i]);
            recorder->mark();
        }
        ++strand;
    };
    (on_its_strand(stages), ...);
}

}  // namespace echelon
