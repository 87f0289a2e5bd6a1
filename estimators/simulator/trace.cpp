// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/trace.hpp"

#include "estimators/simulator/phase_bars.hpp"
#include "estimators/simulator/trace_events.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace echelon {
namespace {

using Activity = Interval::Activity;

struct Row {
    const char* activity;
    int number;
};

constexpr std::array<const char*, 3> rows{"out", "in", "processor"};

Row row_of(Activity activity) {
    switch (activity) {
        case Activity::send:
            return {"send", 0};
        case Activity::receive:
            return {"receive", 1};
        case Activity::reduce:
            return {"reduce", 2};
        case Activity::copy:
            return {"copy", 2};
        case Activity::overhead:
            return {"overhead", 2};
    }
    return {"", 0};
}

/// Finish time of each rank.
std::vector<Seconds> finishes(const Schedule& schedule, const Timeline& timeline) {
    std::vector<Seconds> ends;
    auto step = timeline.step_ends.begin();
    for (const Program& program : schedule.ranks) {
        Seconds& end = ends.emplace_back(0);
        for (const Program::Strand& strand : program.strands) {
            const auto next = step + std::ptrdiff_t(strand.size());
            if (next != step) end = std::max(end, *(next - 1));
            step = next;
        }
    }
    return ends;
}

}  // namespace

void write_trace(std::ostream& out, const TracedCall& call, const Schedule& schedule,
                 const PhaseSpans& phases, const Timeline& timeline) {
    TraceEvents events(out, call.title);
    int stages = 1;
    for (const Program& program : schedule.ranks) stages = std::max(stages, int(program.strands.size()));
    const std::string ranks = std::to_string(schedule.size()), bytes = std::to_string(call.bytes);
    const std::vector<Seconds> ends = finishes(schedule, timeline);
    for (int rank = 0; rank < schedule.size(); ++rank) {
        events.rank(rank);
        events.row(rank, 0, "collective");
        for (int stage = 1; stage < stages; ++stage)
            events.row(rank, stage, "stage " + std::to_string(stage + 1));
        for (std::size_t row = 0; row < rows.size(); ++row) events.row(rank, stages + int(row), rows[row]);
        events.bar(call.collective, rank, 0, 0, ends[std::size_t(rank)] * 1e6,
                   {{"recipe", TraceEvents::quoted(call.recipe)}, {"bytes", bytes}, {"ranks", ranks}});
    }
    std::vector<PhaseBar> bars = phase_bars(phases, schedule, timeline);
    std::stable_sort(bars.begin(), bars.end(),
                     [](const PhaseBar& a, const PhaseBar& b) { return a.depth < b.depth; });
    for (const PhaseBar& bar : bars) {
        const PhaseSpans::Name& name = phases.names[bar.name];
        events.bar(name.phase, bar.rank, int(bar.strand), bar.begin * 1e6, (bar.end - bar.begin) * 1e6,
                   {{"recipe", TraceEvents::quoted(name.recipe)},
                    {"bytes", std::to_string(bar.bytes)},
                    {"group", std::to_string(bar.ranks)},
                    {"members", TraceEvents::quoted(bar.members)}});
    }
    for (const Interval& interval : timeline.intervals) {
        const Row row = row_of(interval.activity);
        const int number = stages + row.number;
        const double begin = interval.begin * 1e6;
        events.bar(row.activity, interval.rank, number, begin, (interval.end - interval.begin) * 1e6,
                   {{"bytes", std::to_string(interval.bytes)}, {"peer", std::to_string(interval.peer)}});
        // A viewer attaches an arrow to the bar that contains its end.
        if (interval.activity == Activity::send || interval.activity == Activity::receive)
            events.arrow(interval.message, interval.rank, number, begin, interval.activity == Activity::send);
    }
}

}  // namespace echelon
