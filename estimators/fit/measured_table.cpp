// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/measured_table.hpp"

#include "core/error.hpp"
#include "core/statistics.hpp"
#include "estimators/fit/library_names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>
#include <tuple>

namespace echelon {
namespace {

/// Fields of a line; a quoted field may hold commas and doubled quotes.
std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool twice = line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"';
        if (twice)
            fields.back() += line[i++];
        else if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == ',' && !quoted)
            fields.emplace_back();
        else if (line[i] != '\r')
            fields.back() += line[i];
    }
    for (std::string& field : fields) {
        field.erase(0, std::min(field.find_first_not_of(" \t"), field.size()));
        field.erase(field.find_last_not_of(" \t") + 1);
    }
    return fields;
}

/// Normalized name of a column: `Avg Latency(us)` becomes avg_latency_us.
std::string column_name(std::string_view words) {
    std::string made;
    for (char c : words) {
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
        const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (word)
            made += c;
        else if (!made.empty() && made.back() != '_')
            made += '_';
    }
    while (made.ends_with('_')) made.pop_back();
    return made;
}

/// Index of each known column; -1 if it is missing.
struct Columns {
    int machine = -1, library = -1, run = -1, collective = -1, nodes = -1, each = -1, ranks = -1, bytes = -1,
        algorithm = -1, time = -1;
    double unit = 1;  // of the time, in seconds

    explicit Columns(const std::vector<std::string>& header) {
        const auto find = [&](std::initializer_list<std::string_view> called) {
            for (const std::string_view name : called)
                for (std::size_t i = 0; i < header.size(); ++i)
                    if (column_name(header[i]) == name) return int(i);
            return -1;
        };
        machine = find({"machine", "system"});
        library = find({"library", "mpi", "mpi_lib"});
        run = find({"run"});
        collective = find({"collective", "collective_type"});
        nodes = find({"nodes", "nnodes"});
        each = find({"ranks_per_node", "ranks_a_node", "ppn", "tasks_per_node"});
        ranks = find({"ranks", "p", "np", "nprocs", "processes"});
        bytes = find({"bytes", "size", "msg_size", "message_size", "buffer_size"});
        algorithm = find({"algorithm", "recipe", "algo_name"});
        constexpr std::array<std::pair<std::string_view, double>, 4> units{
            {{"seconds", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}}};
        for (const std::string kind : {"", "median_", "mean_", "avg_latency_", "avg_", "min_"})
            for (const auto& [word, seconds] : units)
                if (time < 0 && (time = find({kind + std::string(word)})) >= 0) unit = seconds;
    }
};

/// Values of one line. Invalid values throw an Error that names the line.
class Line {
public:
    Line(int number, std::vector<std::string> fields) : number_(number), fields_(std::move(fields)) {}

    [[noreturn]] void fail(const std::string& what) const {
        throw Error("line " + std::to_string(number_) + ": " + what);
    }
    std::string text(int column) const {
        if (column < 0) return "";
        if (std::size_t(column) >= fields_.size())
            fail("it has " + std::to_string(fields_.size()) + " fields, and the first line names more");
        return fields_[std::size_t(column)];
    }
    double number(int column, const char* what) const {
        const std::string word = text(column);
        char* end = nullptr;
        const double value = std::strtod(word.c_str(), &end);
        if (word.empty() || *end != '\0' || !std::isfinite(value) || value <= 0)
            fail("'" + word + "' is no " + what + " above 0");
        return value;
    }
    int count(int column, const char* what) const {
        const double value = number(column, what);
        constexpr double most = 1 << 30;
        if (value != std::floor(value) || value > most) fail("'" + text(column) + "' is no " + what);
        return int(value);
    }

private:
    int number_;
    std::vector<std::string> fields_;
};

void place(MeasuredLine& made, const Line& line, const Columns& columns, int nodes, int ranks_per_node) {
    made.nodes = columns.nodes >= 0 ? line.count(columns.nodes, "number of nodes") : nodes;
    made.ranks_per_node =
        columns.each >= 0 ? line.count(columns.each, "number of ranks a node") : ranks_per_node;
    if (columns.ranks < 0) return;
    const int ranks = line.count(columns.ranks, "number of ranks");
    if (made.nodes == 0 && made.ranks_per_node > 0) made.nodes = ranks / made.ranks_per_node;
    if (made.ranks_per_node == 0 && made.nodes > 0) made.ranks_per_node = ranks / made.nodes;
    if (made.ranks() != ranks)
        line.fail(std::to_string(ranks) + " ranks are not " + std::to_string(made.nodes) + " nodes of " +
                  std::to_string(made.ranks_per_node) + " ranks each");
}

}  // namespace

std::vector<MeasuredLine> read_table(std::string_view text, int nodes, int ranks_per_node) {
    std::istringstream lines{std::string(text)};
    std::string first;
    std::getline(lines, first);
    const Columns columns(fields_of(first));
    const auto need = [](bool there, const char* what) {
        if (!there) throw Error(std::string("the first line must name a column ") + what);
    };
    need(columns.collective >= 0, "collective");
    need(columns.bytes >= 0, "bytes");
    need(columns.algorithm >= 0, "algorithm");
    need(columns.time >= 0, "seconds (or ms, us, median_us, ...)");
    const bool has_nodes = columns.nodes >= 0 || nodes > 0,
               has_each = columns.each >= 0 || ranks_per_node > 0;
    need(int(has_nodes) + int(has_each) + int(columns.ranks >= 0) >= 2,
         "for two of nodes, ranks_per_node and ranks, or say the layout that all was measured on");

    std::vector<MeasuredLine> made;
    int number = 1;
    for (std::string words; std::getline(lines, words);) {
        ++number;
        if (words.find_first_not_of(" \t\r") == std::string::npos) continue;
        const Line line(number, fields_of(words));
        MeasuredLine one{.machine = line.text(columns.machine),
                         .library = line.text(columns.library),
                         .run = line.text(columns.run),
                         .algorithm = line.text(columns.algorithm)};
        const std::string collective = column_name(line.text(columns.collective));
        if (const auto known = collective_named(collective))
            one.collective = *known;
        else
            line.fail("'" + line.text(columns.collective) +
                      "' is no collective, such as allreduce, reduce, bcast");
        one.bytes = Bytes(line.number(columns.bytes, "number of bytes") + 0.5);
        one.seconds = line.number(columns.time, "time") * columns.unit;
        place(one, line, columns, nodes, ranks_per_node);
        made.push_back(std::move(one));
    }
    if (made.empty()) throw Error("there are no lines below the first");
    return made;
}

TableSamples samples_of(const std::vector<MeasuredLine>& lines) {
    using Cell = std::tuple<Collective, int, int, Bytes, std::string>;  // ..., nodes, ranks a node, recipe
    std::map<Cell, std::map<std::string, std::vector<double>>> cells;   // by the algorithm's name
    std::map<std::pair<Collective, std::string>, int> left_out;
    for (const MeasuredLine& one : lines) {
        if (const auto recipe = recipe_called(one.collective, one.algorithm))
            cells[{one.collective, one.nodes, one.ranks_per_node, one.bytes, to_string(*recipe)}]
                 [one.algorithm]
                     .push_back(one.seconds);
        else
            ++left_out[{one.collective, one.algorithm}];
    }
    TableSamples made;
    for (auto& [cell, implementations] : cells) {
        const auto& [collective, nodes, each, bytes, recipe] = cell;
        Sample sample{.collective = collective,
                      .p = nodes * each,
                      .layout = std::to_string(nodes) + 'x' + std::to_string(each),
                      .bytes = bytes,
                      .recipe = Recipe::parse(recipe)};
        for (auto& [algorithm, seconds] : implementations) {
            const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
            const double middle = median(seconds);
            if (sample.seconds > 0 && middle >= sample.seconds) continue;
            sample.seconds = middle;
            sample.spread = (*most - *least) / 2 / middle;
        }
        made.samples.push_back(std::move(sample));
    }
    for (const auto& [which, count] : left_out) made.left_out.push_back({which.first, which.second, count});
    return made;
}

}  // namespace echelon
