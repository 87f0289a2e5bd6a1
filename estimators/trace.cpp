// SPDX-License-Identifier: Apache-2.0
#include "estimators/trace.hpp"

#include <array>
#include <cstdio>

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

/// Events of one file, with a comma between any two.
class Events {
public:
    explicit Events(std::ostream& out) : out_(out) {}

    template <class... Values>
    void add(const char* pattern, Values... values) {
        std::array<char, 320> text;
        std::snprintf(text.data(), text.size(), pattern, values...);
        out_ << (first_ ? "\n" : ",\n") << text.data();
        first_ = false;
    }

private:
    std::ostream& out_;
    bool first_ = true;
};

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '"' || c == '\\') safe += '\\';
        if (static_cast<unsigned char>(c) >= ' ') safe += c;
    }
    return safe;
}

}  // namespace

void write_trace(std::ostream& out, const Timeline& timeline, int p, const std::string& title) {
    out << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"title\":\"" << escaped(title)
        << "\"},\"traceEvents\":[";
    Events events(out);
    for (int rank = 0; rank < p; ++rank) {
        events.add(R"({"ph":"M","name":"process_name","pid":%d,"args":{"name":"rank %d"}})", rank, rank);
        events.add(R"({"ph":"M","name":"process_sort_index","pid":%d,"args":{"sort_index":%d}})", rank, rank);
        for (std::size_t row = 0; row < rows.size(); ++row)
            events.add(R"({"ph":"M","name":"thread_name","pid":%d,"tid":%d,"args":{"name":"%s"}})", rank,
                       int(row), rows[row]);
    }
    for (const Interval& interval : timeline.intervals) {
        const Row row = row_of(interval.activity);
        const double begin = interval.begin * 1e6, lasting = (interval.end - interval.begin) * 1e6;
        events.add(
            R"({"ph":"X","name":"%s","pid":%d,"tid":%d,"ts":%.4f,"dur":%.4f,"args":{"bytes":%llu,"peer":%d}})",
            row.activity, interval.rank, row.number, begin, lasting,
            static_cast<unsigned long long>(interval.bytes), interval.peer);
        // Flow events belong to the bar in which they lie.
        if (interval.activity == Activity::send)
            events.add(R"({"ph":"s","name":"message","cat":"message","id":%u,"pid":%d,"tid":0,"ts":%.4f})",
                       interval.message, interval.rank, begin);
        if (interval.activity == Activity::receive)
            events.add(
                R"({"ph":"f","bp":"e","name":"message","cat":"message","id":%u,"pid":%d,"tid":1,"ts":%.4f})",
                interval.message, interval.rank, begin);
    }
    out << "\n]}\n";
}

}  // namespace echelon
