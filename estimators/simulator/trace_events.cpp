// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/trace_events.hpp"

#include "core/format.hpp"

namespace echelon {
namespace {

std::string fixed(double number) { return format("%.4f", number); }

}  // namespace

std::string TraceEvents::quoted(std::string_view text) {
    std::string safe = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') safe += '\\';
        if (static_cast<unsigned char>(c) >= ' ') safe += c;
    }
    return safe + '"';
}

TraceEvents::TraceEvents(std::ostream& out, const std::string& title) : out_(out) {
    out_ << R"({"displayTimeUnit":"ns","otherData":{"title":)" << quoted(title) << R"(},"traceEvents":[)";
}

TraceEvents::~TraceEvents() { out_ << "\n]}\n"; }

void TraceEvents::next() {
    out_ << (first_ ? "\n" : ",\n");
    first_ = false;
}

void TraceEvents::rank(int rank) {
    next();
    out_ << R"({"ph":"M","name":"process_name","pid":)" << rank << R"(,"args":{"name":"rank )" << rank
         << "\"}}";
    next();
    out_ << R"({"ph":"M","name":"process_sort_index","pid":)" << rank << R"(,"args":{"sort_index":)" << rank
         << "}}";
}

void TraceEvents::row(int rank, int row, std::string_view name) {
    next();
    out_ << R"({"ph":"M","name":"thread_name","pid":)" << rank << R"(,"tid":)" << row << R"(,"args":{"name":)"
         << quoted(name) << "}}";
}

void TraceEvents::bar(std::string_view name, int rank, int row, double begin, double lasting, Facts facts) {
    next();
    out_ << R"({"ph":"X","name":)" << quoted(name) << R"(,"pid":)" << rank << R"(,"tid":)" << row
         << R"(,"ts":)" << fixed(begin) << R"(,"dur":)" << fixed(lasting) << R"(,"args":{)";
    bool first = true;
    for (const auto& [key, value] : facts)
        out_ << (std::exchange(first, false) ? "" : ",") << quoted(key) << ':' << value;
    out_ << "}}";
}

void TraceEvents::arrow(unsigned number, int rank, int row, double at, bool leaves) {
    next();
    out_ << (leaves ? R"({"ph":"s")" : R"({"ph":"f","bp":"e")")
         << R"(,"name":"message","cat":"message","id":)" << number << R"(,"pid":)" << rank << R"(,"tid":)"
         << row << R"(,"ts":)" << fixed(at) << '}';
}

}  // namespace echelon
