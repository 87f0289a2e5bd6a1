// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/phase_bars.hpp"

#include "core/words.hpp"

namespace echelon {

std::string ranks_text(std::span<const int> ranks) {
    constexpr std::size_t most_runs = 8, shown = 4;
    std::vector<std::string> runs;
    for (std::size_t i = 0, next = 0; i < ranks.size(); i = next) {
        next = i + 1;
        while (next < ranks.size() && ranks[next] == ranks[next - 1] + 1) ++next;
        runs.push_back(std::to_string(ranks[i]) +
                       (next == i + 1 ? "" : '-' + std::to_string(ranks[next - 1])));
    }
    if (runs.size() > most_runs) {
        runs[shown] = "...";
        runs.erase(runs.begin() + shown + 1, runs.end() - 1);
    }
    return joined(runs, ", ");
}

std::vector<PhaseBar> phase_bars(const PhaseSpans& phases, const Schedule& schedule,
                                 const Timeline& timeline) {
    std::vector<std::vector<std::size_t>> first_step;  // by rank and strand
    std::size_t steps = 0;
    for (const Program& program : schedule.ranks) {
        auto& first = first_step.emplace_back();
        for (const Program::Strand& strand : program.strands) {
            first.push_back(steps);
            steps += strand.size();
        }
    }
    std::vector<PhaseBar> bars;
    for (const PhaseSpan& span : phases.spans) {
        const auto rank = std::size_t(span.rank);
        const std::size_t first = first_step[rank][span.strand];
        const auto& members = schedule.ranks[rank].links[span.link].members;
        bars.push_back({.rank = span.rank,
                        .name = span.name,
                        .strand = span.strand,
                        .depth = span.depth,
                        .bytes = span.bytes,
                        .ranks = int(members.size()),
                        .members = ranks_text(members),
                        .begin = span.begin == 0 ? 0 : timeline.step_ends[first + span.begin - 1],
                        .end = timeline.step_ends[first + span.end - 1]});
    }
    return bars;
}

}  // namespace echelon
