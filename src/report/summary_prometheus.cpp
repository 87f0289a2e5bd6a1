// SPDX-License-Identifier: Apache-2.0
#include "mpi/fingerprint.hpp"
#include "report/summary.hpp"
#include "settings/run_name.hpp"

#include <array>
#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace echelon {
namespace {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

std::string escaped(std::string_view value) {
    std::string text;
    for (const char c : value)
        if (c == '\n')
            text += "\\n";
        else if (c == '"' || c == '\\')
            text += {'\\', c};
        else
            text += c;
    return text;
}

/// With a point in every locale.
std::string written(double number) {
    std::array<char, 32> digits{};
    constexpr int precision = 9;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                                   std::chars_format::general, precision);
    return {digits.data(), end.ptr};
}

std::string written(const Labels& labels) {
    std::string text;
    for (const auto& [name, value] : labels)
        text.append(text.empty() ? "{" : ",").append(name).append("=\"").append(escaped(value)) += '"';
    return text + '}';
}

/// Samples of one metric. Those with equal labels are added, because a metric has each labels once.
class Metric {
public:
    Metric(const std::string& name, const std::string& type, const std::string& help)
        : name_(name), head_("# HELP " + name + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n') {}
    void add(const Labels& labels, double value) { samples_[written(labels)] += value; }
    std::string text() const {
        std::string made = samples_.empty() ? "" : head_;
        for (const auto& [labels, value] : samples_) made += name_ + labels + ' ' + written(value) + '\n';
        return made;
    }

private:
    std::string name_, head_;
    std::map<std::string, double> samples_;
};

Labels with(Labels labels, std::initializer_list<Labels::value_type> more) {
    labels.insert(labels.end(), more);
    return labels;
}

}  // namespace

std::string to_prometheus(const Summary& summary) {
    const Labels run{
        {"program", program_name()}, {"job", job_number()}, {"rank", std::to_string(summary.rank)}};
    const double ranks = summary.totals_of;
    Metric info("echelon_info", "gauge", "What ran: 1."),
        wall("echelon_wall_seconds", "gauge", "Time from MPI_Init to MPI_Finalize, the mean of the ranks."),
        inside("echelon_collective_seconds", "gauge", "Time in collectives, the mean of the ranks."),
        saved("echelon_saved_seconds", "gauge",
              "Time saved against the native collectives where both were measured, the mean of the ranks."),
        cost("echelon_cost_seconds", "gauge",
             "Time of agreements, decisions, communicators and trials, the mean of the ranks."),
        disturbed("echelon_disturbed", "gauge", "1 if other programs used the processors, else 0."),
        calls("echelon_calls_total", "counter", "Calls of this rank, by recipe and source of the choice."),
        seconds("echelon_call_seconds_total", "counter", "Time of these calls on this rank."),
        bypassed("echelon_native_calls_total", "counter",
                 "Calls of this rank that went to the MPI library without a choice, by reason.");
    info.add(with(run, {{"version", ECHELON_PROJECT_VERSION},
                        {"mpi", fingerprint_here().mpi},
                        {"profile", summary.profile},
                        {"ranks", std::to_string(summary.ranks)},
                        {"nodes", std::to_string(summary.nodes)}}),
             1);
    const Totals& totals = summary.totals;
    wall.add(run, totals.wall.sum / ranks);
    inside.add(run, totals.inside.sum / ranks);
    if (totals.judged.sum > 0)
        saved.add(run, (totals.saved_by_trials.sum + totals.saved_by_profile.sum) / ranks);
    cost.add(run, totals.cost.sum / ranks);
    disturbed.add(run, summary.disturbed() ? 1 : 0);
    for (const CommunicatorRecord& record : summary.communicators) {
        const std::string size = std::to_string(record.ranks);
        for (const auto* const row : record.tally.rows()) {
            const auto& [key, counts] = *row;
            const Labels labels = with(run, {{"collective", std::string(name(key.collective))},
                                             {"ranks", size},
                                             {"from_bytes", std::to_string(first_size(key.power))},
                                             {"to_bytes", std::to_string(last_size(key.power))},
                                             {"recipe", key.recipe},
                                             {"source", std::string(name(key.source))}});
            calls.add(labels, double(counts.calls));
            seconds.add(labels, double(counts.ticks) * summary.seconds_per_tick);
        }
        for (const Collective collective : all_collectives)
            for (const Bypass why : all_bypasses)
                if (const long count = record.tally.bypasses(collective, why); count != 0)
                    bypassed.add(with(run, {{"collective", std::string(name(collective))},
                                            {"reason", std::string(reason(why))}}),
                                 double(count));
    }
    std::string text;
    for (const Metric& one : {info, wall, inside, saved, cost, disturbed, calls, seconds, bypassed})
        text += one.text();
    return text;
}

}  // namespace echelon
