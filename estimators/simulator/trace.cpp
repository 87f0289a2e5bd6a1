// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/trace.hpp"

#include "estimators/simulator/trace_events.hpp"

#include <array>

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

}  // namespace

void write_trace(std::ostream& out, const Timeline& timeline, int p, const std::string& title) {
    TraceEvents events(out, title);
    for (int rank = 0; rank < p; ++rank) {
        events.rank(rank);
        for (std::size_t row = 0; row < rows.size(); ++row) events.row(rank, int(row), rows[row]);
    }
    for (const Interval& interval : timeline.intervals) {
        const Row row = row_of(interval.activity);
        const double begin = interval.begin * 1e6;
        events.bar(row.activity, interval.rank, row.number, begin, (interval.end - interval.begin) * 1e6,
                   {{"bytes", std::to_string(interval.bytes)}, {"peer", std::to_string(interval.peer)}});
        // An arrow belongs to the bar in which it lies.
        if (interval.activity == Activity::send || interval.activity == Activity::receive)
            events.arrow(interval.message, interval.rank, row.number, begin,
                         interval.activity == Activity::send);
    }
}

}  // namespace echelon
