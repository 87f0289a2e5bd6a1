// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace echelon {

/// Writes the Trace Event Format of Chrome, which Perfetto and others open: each rank is a process with rows
/// of bars. The destructor closes the brackets of the file. Times are microseconds.
class TraceEvents {
public:
    using Facts = std::initializer_list<std::pair<std::string_view, std::string_view>>;

    TraceEvents(std::ostream& out, const std::string& title);
    ~TraceEvents();
    TraceEvents(const TraceEvents&) = delete;
    TraceEvents& operator=(const TraceEvents&) = delete;

    void rank(int rank);
    void row(int rank, int row, std::string_view name);
    /// `facts`: names and values that a viewer shows beside the bar. Values are JSON: numbers, or quoted().
    void bar(std::string_view name, int rank, int row, double begin, double lasting, Facts facts);
    /// One end of an arrow: it starts at the call with `leaves` true and ends at the call with `leaves` false
    /// and the same number.
    void arrow(unsigned number, int rank, int row, double at, bool leaves);

    static std::string quoted(std::string_view text);

private:
    void next();
    std::ostream& out_;
    bool first_ = true;
};

}  // namespace echelon
