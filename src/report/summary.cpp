// SPDX-License-Identifier: Apache-2.0
#include "report/summary.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/say.hpp"
#include "core/shell_words.hpp"
#include "settings/run_name.hpp"

#include <cstring>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <type_traits>

namespace echelon {

void CommunicatorRecord::add(const CommunicatorRecord& other) {
    communicators += other.communicators;
    tally.add(other.tally);
    splits.splits += other.splits.splits;
    splits.translated += other.splits.translated;
    splits.hits += other.splits.hits;
    splits.seconds += other.splits.seconds;
    plans_made += other.plans_made;
    plan_hits += other.plan_hits;
    for (const std::string& reason : other.reasons)
        if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
}

static_assert(std::is_trivially_copyable_v<Totals> && sizeof(Totals) % sizeof(Spread) == 0);

std::span<const Spread> Totals::row() const { return {&wall, sizeof(Totals) / sizeof(Spread)}; }

Totals Totals::from(std::span<const Spread> row) {
    Totals totals;
    std::memcpy(static_cast<void*>(&totals), row.data(), sizeof totals);
    return totals;
}

void Summary::sum_up(Seconds wall, Seconds settling) {
    totals = {};
    totals_of = 1;
    const auto more = [](Spread& sum, double number) { sum = Spread::of(sum.sum + number); };
    double trying = 0;
    for (const CommunicatorRecord& record : communicators) {
        trying += record.tally.ticks_of_trying() * seconds_per_tick;
        const Savings savings(record.tally, seconds_per_tick);
        for (const auto* const row : record.tally.rows()) {
            const auto& [key, counts] = *row;
            const double seconds = double(counts.ticks) * seconds_per_tick;
            Totals::Of& of = totals.of[std::size_t(key.collective)];
            more(of.calls, double(counts.calls));
            more(of.seconds, seconds);
            more(totals.inside, seconds);
            more(totals.calls, double(counts.calls));
            more(totals.judged, double(counts.judged));
            more(totals.served, key.recipe == "native" ? 0 : double(counts.calls));
            more(is_of_this_run(key.source) ? totals.saved_by_trials : totals.saved_by_profile,
                 savings.of(key, counts));
        }
    }
    totals.wall = Spread::of(wall);
    totals.cost = Spread::of(settling + trying);
}

std::string utc(std::chrono::system_clock::time_point time) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
    std::tm parts{};
    char text[64];
    gmtime_r(&seconds, &parts);
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
    return text;
}

std::string program_name() { return program_invocation_short_name; }

std::string command_line() {
    std::string text;
    try {
        text = read_file("/proc/self/cmdline");
    } catch (const Error&) {
        return program_name();
    }
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, '\0');) words.push_back(word);
    return shell_words(words);
}

namespace {

/// True if another rank of this run has written the file.
bool was_written_by_this_run(const std::string& file, const Summary& summary) {
    std::error_code none;
    const auto when = std::filesystem::last_write_time(file, none);
    return !none && std::chrono::file_clock::to_sys(when) >= summary.began;
}

}  // namespace

void write(const Summary& summary, const SummaryRequest& request) {
    if (request.form == SummaryRequest::Form::none) return;
    // A rank that aborts reports, because no other rank will.
    if (!names_ranks(request.file) && summary.rank != 0 && summary.ending != Ending::abort) return;
    using Form = SummaryRequest::Form;
    const std::string text = request.form == Form::text   ? to_text(summary)
                             : request.form == Form::json ? to_json(summary)
                                                          : to_prometheus(summary);
    if (request.file.empty()) {
        say_lines(text);
        return;
    }
    const std::string file = run_name(request.file, summary.rank);
    try {
        // When a rank aborts, the launcher ends the others by signals.
        if (summary.ending == Ending::signal && is_replaced(file) && was_written_by_this_run(file, summary))
            return;
        write_file(file, text);
    } catch (const Error& error) {
        say(std::string("the summary ") + error.what());
    }
}

}  // namespace echelon
