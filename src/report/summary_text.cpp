// SPDX-License-Identifier: Apache-2.0
#include "core/format.hpp"
#include "core/table.hpp"
#include "core/units.hpp"
#include "hier/recipe.hpp"
#include "report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace echelon {
namespace {

/// A range of sizes like "4K..8K", without its upper end.
std::string size_text(int power) {
    if (power <= 1) return std::to_string(power);
    if (power == 64) return format_bytes(first_size(power)) + "..";
    return format_bytes(first_size(power)) + ".." + format_bytes(first_size(power + 1));
}

std::string percent(double share) { return format("%.1f %%", 100 * share); }

std::string plural(long count, const std::string& one) {
    return std::to_string(count) + ' ' + one + (count == 1 ? "" : "s");
}

std::string heading(const CommunicatorRecord& record) {
    if (record.freed)
        return plural(record.communicators, "freed communicator") + " of " + plural(record.ranks, "rank");
    return (record.name.empty() ? "" : record.name + ", ") + "a communicator of " +
           plural(record.ranks, "rank");
}

std::string ending(const Summary& summary) {
    switch (summary.ending) {
        case Ending::finalized:
            return "";
        case Ending::without_finalize:
            return ", which ended without MPI_Finalize";
        case Ending::abort:
            return ", which called MPI_Abort";
        case Ending::signal:
            return ", which a signal ended";
    }
    return "";
}

std::string signed_time(Seconds seconds) {
    std::string text(seconds < 0 ? "-" : "");
    return text += readable(std::abs(seconds));
}

std::string saved(const Totals& totals, int ranks) {
    const std::string cost = "; cost " + readable(totals.cost.mean(ranks));
    if (totals.served.sum == 0) return "nothing: all calls ran the MPI library's own collectives" + cost;
    if (totals.judged.sum == 0)
        return "not known: neither a trial nor a profile has measured the native collectives" + cost;
    const double trials = totals.saved_by_trials.mean(ranks), profile = totals.saved_by_profile.mean(ranks);
    const double sum = trials + profile;
    std::string text = signed_time(sum) + " of " + readable(totals.wall.most + sum) +
                       " against the native collectives (trials: " + signed_time(trials) +
                       ", profile: " + signed_time(profile) + ")" + cost;
    if (totals.judged.sum < totals.served.sum)
        text += format("\n                  known of %.0f of %.0f calls that were not native",
                       totals.judged.mean(ranks), totals.served.mean(ranks));
    return text;
}

std::string over_ranks_table(const Summary& summary) {
    const int ranks = summary.totals_of;
    const Totals& totals = summary.totals;
    std::string text =
        format("  wall time       %s, of which %s (%s) in collectives\n", readable(totals.wall.most).c_str(),
               readable(totals.inside.mean(ranks)).c_str(),
               percent(totals.inside.mean(ranks) / std::max(totals.wall.mean(ranks), 1e-9)).c_str()) +
        "  saved           " + saved(totals, ranks) + '\n';
    if (summary.disturbed())
        text += format(
            "  busy machine    load %.1f on %d processors: other programs disturbed what was measured here, \"saved\" too\n",
            summary.load, summary.processors);
    if (totals.calls.sum == 0) return text;
    const TextTable table({{"collective", 14, TextTable::Side::left},
                           {"calls", 12},
                           {"min s", 12},
                           {"mean s", 12},
                           {"max s", 12},
                           {"imbalance", 0, TextTable::Side::left}});
    text += table.head();
    for (const Collective collective : all_collectives)
        if (const Totals::Of& of = totals[collective]; of.calls.sum > 0)
            text += table.row({std::string(name(collective)), format("%.0f", of.calls.mean(ranks)),
                               format("%.6f", of.seconds.least), format("%.6f", of.seconds.mean(ranks)),
                               format("%.6f", of.seconds.most), percent(of.seconds.imbalance(ranks))});
    return text;
}

std::string shared_memory(const Summary& summary) {
    constexpr Bytes k = 1024;
    return "  shared memory   " + format_bytes((summary.shared_memory + k - 1) / k * k) + " of rank " +
           std::to_string(summary.rank) +
           " at most (ECHELON_WINDOW=" + format_bytes(summary.most_shared_memory) + ")\n";
}

struct Row {
    const CommunicatorRecord* record;
    const Tally::Key* key;
    const Tally::Counts* counts;
};

/// The rows that took longest, in their original order.
std::vector<Row> longest(const Summary& summary, std::size_t most) {
    std::vector<Row> rows;
    for (const CommunicatorRecord& record : summary.communicators)
        for (const auto* const row : record.tally.rows())
            rows.push_back({&record, &row->first, &row->second});
    if (rows.size() <= most) return rows;
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return rows[a].counts->ticks > rows[b].counts->ticks;
    });
    order.resize(most);
    std::sort(order.begin(), order.end());
    std::vector<Row> chosen;
    for (const std::size_t i : order) chosen.push_back(rows[i]);
    return chosen;
}

TextTable calls_table() {
    using Side = TextTable::Side;
    return TextTable({{"collective", 14, Side::left},
                      {"bytes", 12, Side::left},
                      {"calls", 10},
                      {"seconds", 12},
                      {"us a call", 12},
                      {"chosen by", 16, Side::left},
                      {"recipe", 0, Side::left}});
}

std::string row_text(const TextTable& table, const Row& row, double seconds_per_tick) {
    const Tally::Key& key = *row.key;
    const double seconds = double(row.counts->ticks) * seconds_per_tick;
    const auto calls = double(std::max(row.counts->calls, 1L));
    const std::string refusal =
        key.refusal.empty() ? ""
                            : (key.source == Source::refused ? "  (refused: " : "  (") + key.refusal + ')';
    return table.row({std::string(name(key.collective)), size_text(key.power),
                      std::to_string(row.counts->calls), format("%.6f", seconds),
                      format("%.2f", 1e6 * seconds / calls),
                      key.tried ? "tried" : std::string(name(key.source)), key.recipe + refusal});
}

}  // namespace

std::string to_text(const Summary& summary) {
    constexpr std::size_t most_rows = 24, most_bypassed = 8;
    std::string text = "echelon: what ran: " + program_name() + ", " + plural(summary.ranks, "rank") +
                       (summary.nodes == 0 ? "" : " on " + plural(summary.nodes, "node")) + ", " +
                       utc(summary.began) + '\n';
    if (summary.totals_of == 1 && summary.ranks > 1)
        text += "  of rank " + std::to_string(summary.rank) + " alone" + ending(summary) + '\n';
    if (!summary.profile.empty() || !summary.no_profile.empty())
        text += "  profile         " +
                (summary.profile.empty() ? "none: " + summary.no_profile : summary.profile) + '\n';
    if (summary.link)
        text += "  between nodes   a message takes " + readable(summary.link->alpha) + ", and then " +
                readable_rate(1 / summary.link->beta) + ", as MPI_Init saw\n";
    text += over_ranks_table(summary);
    if (summary.shared_memory > 0) text += shared_memory(summary);
    for (const std::string& note : summary.notes) text += "  note            " + note + '\n';
    const std::vector<Row> rows = longest(summary, most_rows);
    const TextTable table = calls_table();
    std::size_t rows_left_out = 0, bypassed = 0;
    long left_out = 0;
    bool first = true;
    for (const CommunicatorRecord& record : summary.communicators) {
        std::string lines;
        rows_left_out += record.tally.rows().size();
        for (const Row& row : rows)
            if (row.record == &record) {
                lines += row_text(table, row, summary.seconds_per_tick);
                --rows_left_out;
            }
        for (const Collective collective : all_collectives)
            for (const Bypass why : all_bypasses)
                if (const long calls = record.tally.bypasses(collective, why); calls == 0)
                    continue;
                else if (++bypassed > most_bypassed)
                    ++rows_left_out;
                else
                    lines += table.row({std::string(name(collective)), "", std::to_string(calls), "", "", "",
                                        "native: " + std::string(reason(why))});
        if (lines.empty()) {
            left_out += record.communicators;
            continue;
        }
        text += "rank " + std::to_string(summary.rank) + ", " + heading(record) + '\n';
        if (std::exchange(first, false)) text += table.head();
        text += lines;
        for (const std::string& reason : record.reasons) text += "  native because  " + reason + '\n';
        text += format(
            "  sub-communicators made %ld (%.6f s), partitions without any %ld; plans made %ld, found again %ld\n",
            record.splits.splits, record.splits.seconds, record.splits.translated, record.plans_made,
            record.plan_hits);
    }
    if (rows_left_out > 0 || left_out > 0)
        text += "and " + plural(long(rows_left_out), "row") + " that took less" +
                (left_out == 0 ? "" : ", and " + plural(left_out, "communicator") + " with no others") +
                ": ECHELON_SUMMARY=json has all\n";
    if (summary.communicators.empty()) text += "  no collective came by\n";
    return text;
}

}  // namespace echelon
