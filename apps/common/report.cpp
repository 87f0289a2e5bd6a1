// SPDX-License-Identifier: Apache-2.0
#include "apps/common/report.hpp"

#include "apps/common/server.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace examples {
namespace {

std::string text(const Report::Value& value) {
    if (const auto* const yes = std::get_if<bool>(&value)) return *yes ? "yes" : "no";
    if (const auto* const whole = std::get_if<long>(&value)) return std::to_string(*whole);
    if (const auto* const words = std::get_if<std::string>(&value)) return *words;
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.4g", std::get<double>(value));
    return digits;
}

std::string in_milliseconds(double seconds) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.3f", seconds * 1e3);
    return digits;
}

/// Aligns the first column left, leaves the last as it is, and aligns all others right.
void print_table(std::ostream& out, const std::vector<std::vector<std::string>>& table) {
    std::vector<std::size_t> widths(table.front().size());
    for (const auto& line : table)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    for (const auto& line : table) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string blanks(widths[i] - line[i].size(), ' ');
            if (i == 0)
                out << line[i] << blanks;
            else if (i + 1 < line.size() || !line[i].empty())
                out << "  " << (i + 1 < line.size() ? blanks : "") << line[i];
        }
        out << '\n';
    }
}

}  // namespace

void Report::end() {
    seconds_ = MPI_Wtime() - began_;
    for (Row& row : rows_)
        if (row.comm_ != MPI_COMM_NULL) row.server_ = server_of(row.what_, row.most_bytes_, row.comm_);
}

std::string Report::print(std::ostream& out, MPI_Comm world) const {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    const auto spread = [&](double seconds) {
        double slowest = 0, sum = 0;
        MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, world);
        MPI_Reduce(&seconds, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, world);
        return Spread{slowest, sum / ranks};
    };
    std::vector<Line> lines;
    for (const Row& row : rows_) lines.push_back({&row, spread(row.seconds_)});
    const Spread whole = spread(seconds_);
    if (rank != 0) return "";

    for (const auto& [name, value] : notes_) out << name << ": " << text(value) << '\n';
    std::vector<std::vector<std::string>> table{
        {"ms", "calls", "bytes", "slowest rank", "mean", "served by"}};
    for (const auto& [row, seconds] : lines)
        table.push_back({row->what_ + (row->of_.empty() ? "" : " of " + row->of_),
                         std::to_string(row->calls_),
                         row->server_.empty() ? "" : std::to_string(row->most_bytes_),
                         in_milliseconds(seconds.slowest), in_milliseconds(seconds.mean), row->server_});
    table.push_back({"everything", "", "", in_milliseconds(whole.slowest), in_milliseconds(whole.mean), ""});
    print_table(out, table);
    return json(lines, whole, ranks);
}

std::string Report::json(const std::vector<Line>& lines, Spread whole, int ranks) const {
    nlohmann::ordered_json all{
        {"program", program_}, {"ranks", ranks}, {"slowest_s", whole.slowest}, {"mean_s", whole.mean}};
    for (const auto& note : notes_)
        std::visit([&](const auto& plain) { all["notes"][note.first] = plain; }, note.second);
    all["rows"] = nlohmann::ordered_json::array();
    for (const auto& [row, seconds] : lines) {
        nlohmann::ordered_json one{{"what", row->what_},
                                   {"of", row->of_},
                                   {"calls", row->calls_},
                                   {"slowest_s", seconds.slowest},
                                   {"mean_s", seconds.mean}};
        if (!row->server_.empty()) {
            one["most_bytes"] = row->most_bytes_;
            one["server"] = row->server_;
        }
        all["rows"].push_back(one);
    }
    return all.dump(2) + '\n';
}

}  // namespace examples
