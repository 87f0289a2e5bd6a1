// SPDX-License-Identifier: Apache-2.0
#include "mpi/fingerprint.hpp"
#include "report/summary.hpp"
#include "settings/run_name.hpp"

#include <unistd.h>
#include <nlohmann/json.hpp>

namespace echelon {
namespace {

using nlohmann::json;

json spread(const Spread& spread, int ranks) {
    return {{"min", spread.least}, {"mean", spread.mean(ranks)}, {"max", spread.most}};
}

json totals(const Summary& summary) {
    const int ranks = summary.totals_of;
    const Totals& totals = summary.totals;
    json collectives = json::array();
    for (const Collective collective : all_collectives) {
        const Totals::Of& of = totals[collective];
        if (of.calls.sum == 0) continue;
        collectives.push_back({{"collective", name(collective)},
                               {"calls", spread(of.calls, ranks)},
                               {"seconds", spread(of.seconds, ranks)},
                               {"imbalance", of.seconds.imbalance(ranks)}});
    }
    json saved = nullptr;
    if (totals.judged.sum > 0)
        saved = {{"seconds", totals.saved_by_trials.mean(ranks) + totals.saved_by_profile.mean(ranks)},
                 {"by_trials", totals.saved_by_trials.mean(ranks)},
                 {"by_profile", totals.saved_by_profile.mean(ranks)}};
    return {{"ranks", ranks},
            {"wall_seconds", spread(totals.wall, ranks)},
            {"collective_seconds", spread(totals.inside, ranks)},
            {"collectives", collectives},
            {"calls", totals.calls.mean(ranks)},
            {"calls_compared_with_native", totals.judged.mean(ranks)},
            {"calls_not_native", totals.served.mean(ranks)},
            {"saved", saved},
            {"cost_seconds", totals.cost.mean(ranks)}};
}

json communicator(const CommunicatorRecord& record, double seconds_per_tick) {
    json calls = json::array(), native = json::array();
    const Savings savings(record.tally, seconds_per_tick);
    for (const auto* const row : record.tally.rows()) {
        const auto& [key, counts] = *row;
        calls.push_back({{"collective", name(key.collective)},
                         {"from_bytes", first_size(key.power)},
                         {"to_bytes", last_size(key.power)},
                         {"calls", counts.calls},
                         {"seconds", double(counts.ticks) * seconds_per_tick},
                         {"recipe", key.recipe},
                         {"source", name(key.source)},
                         {"tried", key.tried},
                         {"calls_compared_with_native", counts.judged},
                         {"saved_seconds", counts.judged == 0 ? json() : json(savings.of(key, counts))},
                         {"refusal", key.refusal}});
    }
    for (const Collective collective : all_collectives)
        for (const Bypass why : all_bypasses)
            if (const long count = record.tally.bypasses(collective, why); count != 0)
                native.push_back(
                    {{"collective", name(collective)}, {"reason", reason(why)}, {"calls", count}});
    return {{"name", record.name},
            {"ranks", record.ranks},
            {"communicators", record.communicators},
            {"freed", record.freed},
            {"calls", calls},
            {"native", native},
            {"native_because", record.reasons},
            {"sub_communicators_made", record.splits.splits},
            {"split_seconds", record.splits.seconds},
            {"partitions_without_communicators", record.splits.translated},
            {"partitions_found_again", record.splits.hits},
            {"plans_made", record.plans_made},
            {"plans_found_again", record.plan_hits}};
}

json settings() {
    json found = json::object();
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const auto equals = text.find('=');
        if (text.starts_with("ECHELON_") && equals != std::string_view::npos)
            found[std::string(text.substr(0, equals))] = text.substr(equals + 1);
    }
    return found;
}

}  // namespace

std::string to_json(const Summary& summary) {
    const Fingerprint here = fingerprint_here();
    json communicators = json::array();
    for (const CommunicatorRecord& record : summary.communicators)
        communicators.push_back(communicator(record, summary.seconds_per_tick));
    constexpr int version = 1;
    const json whole{{"summary", version},
                     {"echelon", ECHELON_PROJECT_VERSION},
                     {"mpi", here.mpi},
                     {"processor", here.processor},
                     {"networks", here.networks},
                     {"program", program_name()},
                     {"command", command_line()},
                     {"job", job_number()},
                     {"host", host_name()},
                     {"began", utc(summary.began)},
                     {"ended", utc(std::chrono::system_clock::now())},
                     {"settings", settings()},
                     {"profile", summary.profile.empty() ? json() : json(summary.profile)},
                     {"no_profile", summary.no_profile.empty() ? json() : json(summary.no_profile)},
                     {"link", summary.link ? json{{"latency_seconds", summary.link->alpha},
                                                  {"bytes_per_second", 1 / summary.link->beta}}
                                           : json()},
                     {"rank", summary.rank},
                     {"ranks", summary.ranks},
                     {"nodes", summary.nodes == 0 ? json() : json(summary.nodes)},
                     {"load", summary.load < 0 ? json() : json(summary.load)},
                     {"processors", summary.processors},
                     {"disturbed", summary.disturbed()},
                     {"finalized", summary.ending == Ending::finalized},
                     {"aborted", summary.ending == Ending::abort},
                     {"ended_by_signal", summary.ending == Ending::signal},
                     {"shared_memory_bytes", summary.shared_memory},
                     {"notes", summary.notes},
                     {"totals", totals(summary)},
                     {"communicators", communicators}};
    return whole.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace echelon
