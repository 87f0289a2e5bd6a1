// SPDX-License-Identifier: Apache-2.0
#include "hier/phase_recorder.hpp"

#include "hier/phase.hpp"

#include <algorithm>

namespace echelon {

std::uint32_t PhaseRecorder::number_of(const Phase& phase) {
    const PhaseSpans::Name name{title(phase), recipe_text(phase)};
    auto& names = spans_.names;
    const auto known = std::find(names.begin(), names.end(), name);
    const auto number = std::uint32_t(known - names.begin());
    if (known == names.end()) names.push_back(name);
    return number;
}

void PhaseRecorder::began(const Phase& phase, Team& team, const Args& args) {
    const Recorder& recorder = *team.recorder();
    const std::size_t enclosing = std::size_t(
        std::count_if(open_.begin(), open_.end(), [](const Open& one) { return !one.passed_over; }));
    const bool passed_over = open_.empty() || phase.pipelined();
    open_.push_back({.span = {.name = passed_over ? 0 : number_of(phase),
                              .rank = rank_,
                              .link = std::uint16_t(recorder.number()),
                              .depth = std::uint16_t(enclosing),
                              .strand = recorder.strand(),
                              .begin = recorder.steps(),
                              .end = 0,
                              .bytes = args.data.count * recorder.element_size()},
                     .recorder = &recorder,
                     .passed_over = passed_over});
}

void PhaseRecorder::ended() {
    Open ended = open_.back();
    open_.pop_back();
    ended.span.end = ended.recorder->steps();
    if (!ended.passed_over && ended.span.end > ended.span.begin) spans_.spans.push_back(ended.span);
}

}  // namespace echelon
