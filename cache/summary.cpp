// SPDX-License-Identifier: Apache-2.0
#include "cache/summary.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "hier/recipe.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace echelon {
namespace {

Bytes first_of(int power) { return power == 0 ? 0 : Bytes(1) << (power - 1); }
Bytes last_of(int power) { return power == 0 ? 0 : (first_of(power) - 1) * 2 + 1; }

/// "4K..8K": from the first size to below the second.
std::string size_text(int power) {
    if (power <= 1) return std::to_string(power);
    if (power == 64) return format_bytes(first_of(power)) + "..";
    return format_bytes(first_of(power)) + ".." + format_bytes(first_of(power + 1));
}

template <class... Values>
std::string line(const char* format, Values... values) {
    char text[512];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

std::string heading(const CommunicatorRecord& record) {
    const std::string ranks =
        " of " + std::to_string(record.ranks) + (record.ranks == 1 ? " rank" : " ranks");
    if (record.freed)
        return std::to_string(record.communicators) + " freed communicator" +
               (record.communicators == 1 ? "" : "s") + ranks;
    return (record.name.empty() ? "a communicator without a name" : record.name) + ", a communicator" + ranks;
}

}  // namespace

void CommunicatorRecord::add(const CommunicatorRecord& other) {
    communicators += other.communicators;
    tally.add(other.tally);
    splits.splits += other.splits.splits;
    splits.translated += other.splits.translated;
    splits.hits += other.splits.hits;
    splits.seconds += other.splits.seconds;
    plans_made += other.plans_made;
    plan_hits += other.plan_hits;
}

std::string to_text(const Summary& summary) {
    std::string text = "echelon: what ran on rank " + std::to_string(summary.rank) + " of " +
                       std::to_string(summary.ranks) +
                       (summary.finalized ? "\n" : ", which ended without MPI_Finalize\n");
    for (const CommunicatorRecord& record : summary.communicators) {
        text += heading(record) + '\n';
        text += line("  %-12s %-12s %10s %12s %12s  %-8s %s\n", "collective", "bytes", "calls", "seconds",
                     "us a call", "chosen by", "recipe");
        for (const auto& [key, counts] : record.tally.rows()) {
            const double seconds = double(counts.ticks) * summary.seconds_per_tick;
            text += line("  %-12s %-12s %10ld %12.6f %12.2f  %-9s ",
                         std::string(name(key.collective)).c_str(), size_text(key.power).c_str(),
                         counts.calls, seconds, counts.calls == 0 ? 0 : 1e6 * seconds / double(counts.calls),
                         std::string(name(key.source)).c_str());
            text += key.recipe + (key.refusal.empty() ? "" : "  (refused: " + key.refusal + ')') + '\n';
        }
        for (const Collective collective : all_collectives)
            for (const Bypass why : all_bypasses)
                if (const long calls = record.tally.bypasses(collective, why); calls != 0)
                    text += line("  %-12s %-12s %10ld %12s %12s  %-9s ",
                                 std::string(name(collective)).c_str(), "", calls, "", "", "") +
                            "native: " + std::string(reason(why)) + '\n';
        text += line(
            "  sub-communicators made %ld (%.6f s), partitions without their own %ld; plans made %ld, found again %ld\n",
            record.splits.splits, record.splits.seconds, record.splits.translated, record.plans_made,
            record.plan_hits);
    }
    if (summary.communicators.empty()) text += "  no collective came by\n";
    return text;
}

std::string to_json(const Summary& summary) {
    using nlohmann::json;
    json communicators = json::array();
    for (const CommunicatorRecord& record : summary.communicators) {
        json calls = json::array(), native = json::array();
        for (const auto& [key, counts] : record.tally.rows())
            calls.push_back({{"collective", name(key.collective)},
                             {"from_bytes", first_of(key.power)},
                             {"to_bytes", last_of(key.power)},
                             {"calls", counts.calls},
                             {"seconds", double(counts.ticks) * summary.seconds_per_tick},
                             {"recipe", key.recipe},
                             {"source", name(key.source)},
                             {"refusal", key.refusal}});
        for (const Collective collective : all_collectives)
            for (const Bypass why : all_bypasses)
                if (const long count = record.tally.bypasses(collective, why); count != 0)
                    native.push_back(
                        {{"collective", name(collective)}, {"reason", reason(why)}, {"calls", count}});
        communicators.push_back({{"name", record.name},
                                 {"ranks", record.ranks},
                                 {"communicators", record.communicators},
                                 {"freed", record.freed},
                                 {"calls", calls},
                                 {"native", native},
                                 {"sub_communicators_made", record.splits.splits},
                                 {"split_seconds", record.splits.seconds},
                                 {"partitions_without_communicators", record.splits.translated},
                                 {"partitions_found_again", record.splits.hits},
                                 {"plans_made", record.plans_made},
                                 {"plans_found_again", record.plan_hits}});
    }
    const json whole{{"rank", summary.rank},
                     {"ranks", summary.ranks},
                     {"finalized", summary.finalized},
                     {"communicators", communicators}};
    return whole.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

void write(const Summary& summary, const SummaryRequest& request) {
    if (request.form == SummaryRequest::Form::none) return;
    std::string file = request.file;
    const auto place = file.find("%r");
    if (place != std::string::npos)
        file.replace(place, 2, std::to_string(summary.rank));
    else if (summary.rank != 0)
        return;
    const std::string text = request.form == SummaryRequest::Form::text ? to_text(summary) : to_json(summary);
    if (file.empty()) {
        std::fputs(text.c_str(), stderr);
        return;
    }
    try {
        write_file(file, text);
    } catch (const Error& error) {
        std::fprintf(stderr, "echelon: the summary %s\n", error.what());
    }
}

}  // namespace echelon
