// SPDX-License-Identifier: Apache-2.0
#include "fuzz/recipe.hpp"

#include "core/error.hpp"
#include "core/words.hpp"
#include "hier/phase.hpp"
#include "hier/shapes.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace fuzz {
namespace {

using echelon::Algorithm;
using echelon::Collective;

/// A row, with parameters now and then.
std::string flat(Random& random, const Algorithm& row) {
    std::vector<std::string> parameters;
    // Short segments are excluded: a hundred thousand messages look like a hang on a busy machine.
    static const std::vector<std::string> segments{"16", "28", "40", "64", "100", "1K", "4K", "32K"};
    static const std::vector<std::string> schedules{"a2",    "a3",    "a4",           "a2-a2",
                                                    "a2-a3", "a3-a2", "c2m2-a2-e2m2", "m1g1a2-n1g1a2"};
    if (row.takes_segment && random.percent(50)) parameters.push_back("seg=" + random.pick(segments));
    if (row.takes_radix && random.percent(60))
        parameters.push_back(std::string(row.radix_name) + "=" +
                             std::to_string(random.between(row.least_radix, 6)));
    if (row.takes_schedule && random.percent(40)) parameters.push_back("schedule=" + random.pick(schedules));
    std::string text(row.name);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        text.append(i == 0 ? "(" : ", ").append(parameters[i]);
    return parameters.empty() ? text : text + ")";
}

std::string flat_of(Random& random, Collective collective) {
    // shm is one row of many, but its ranks synchronize in a way of their own.
    if (random.percent(15)) return "shm";
    return flat(random, random.pick(echelon::catalog(collective)));
}

/// A recipe for the phases of one of these collectives.
std::string expression(Random& random, const std::vector<Collective>& phases, int ranks, int depth) {
    const int draw = random.below(100);
    const Collective one = phases.empty() ? Collective::allreduce : random.pick(phases);
    if (depth == 0 || draw < 50) {
        if (draw < 6) return "native";
        if (phases.size() > 1 && draw < 35)
            return flat_of(random, phases.front()) + "+" + flat_of(random, phases.back());
        return flat_of(random, one);
    }
    std::vector<const echelon::ShapeRow*> serving;
    for (const echelon::ShapeName& shape : echelon::shape_names)
        if (const auto* const row = echelon::find_shape(shape.kind, one)) serving.push_back(row);
    if (serving.empty()) return flat_of(random, one);
    std::vector<Collective> inner, outer;
    std::string name(random.pick(echelon::shape_names).name);
    if (random.percent(90)) {
        const echelon::ShapeRow& row = *random.pick(serving);
        name = echelon::name(row.shape);
        for (std::size_t i = 0; i < row.phase_count(); ++i)
            (i == row.outer() ? outer : inner).push_back(row.phase(i).what);
    }
    if (inner.size() > 1 && random.percent(15)) std::swap(inner.front(), inner.back());
    const int groups = std::max(1, ranks / 2);
    std::string text = name + "(" + random_groups(random, ranks) + ", " +
                       expression(random, inner, groups, depth - 1) + ", " +
                       expression(random, outer, groups, depth - 1);
    if (random.percent(12)) text += random.percent(50) ? ", seg=64" : ", seg=1K";
    return text + ")";
}

bool serves(const std::string& text, Collective collective, int ranks, bool in_order) {
    try {
        const std::vector<echelon::Location> locations(std::size_t(ranks), echelon::Location{1});
        for (int rank = 0; rank < ranks; ++rank)
            echelon::resolve(echelon::Recipe::parse(text), collective, echelon::Placement::from(locations),
                             rank, {in_order, true});
        return true;
    } catch (const echelon::Error&) {
        return false;
    }
}

}  // namespace

std::string random_groups(Random& random, int ranks) {
    switch (random.below(8)) {
        case 0:
            return "sqrt";
        case 1:
            return "node";
        case 2:
            return random.pick(std::array{"numa", "numa", "l3", "package", "package", "site", "switch"});
        case 3:
        case 4:
            return "G=" + std::to_string(random.between(1, std::max(1, ranks)));
        case 5: {
            // Any partition, ranks in any order.
            std::vector<int> order(static_cast<std::size_t>(ranks));
            std::iota(order.begin(), order.end(), 0);
            for (std::size_t i = order.size(); i > 1; --i)
                std::swap(order[i - 1], order[std::size_t(random.below(int(i)))]);
            if (random.percent(30)) std::sort(order.begin(), order.end());
            std::string text = "ranks=" + std::to_string(order.front());
            for (std::size_t i = 1; i < order.size(); ++i)
                text.append(random.percent(35) ? ";" : "+").append(std::to_string(order[i]));
            return text;
        }
        default:
            return "size=" + std::to_string(random.between(1, std::max(1, ranks)));
    }
}

std::string random_recipe(Random& random, const std::string& collective, int ranks) {
    const Collective wanted = echelon::collective_named(collective).value_or(Collective::allreduce);
    std::string text;
    const bool in_order = random.percent(30);
    for (int attempt = 0; attempt < 20; ++attempt) {
        text = expression(random, {wanted}, ranks, random.between(0, 3));
        if (serves(text, wanted, ranks, in_order) || random.percent(8)) break;
    }
    return text;
}

const std::vector<std::string>& tuned_collectives() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Collective one : echelon::all_collectives) all.emplace_back(name(one));
        return all;
    }();
    return names;
}

std::vector<std::pair<std::string, std::string>> random_settings(std::uint64_t seed, int rank, int ranks) {
    Random random(mix(seed, 0x5E77));
    std::vector<std::pair<std::string, std::string>> settings;
    const auto set = [&](const std::string& key, const std::string& value) {
        settings.emplace_back("ECHELON_" + key, value);
    };
    const int draw = random.below(100);
    if (draw < 25) return settings;  // the users' default: nothing set
    if (draw < 75) {
        const int share = random.percent(30) ? 100 : 50;
        for (const std::string& one : tuned_collectives()) {
            if (!random.percent(share)) continue;
            std::string key = one;
            for (char& letter : key) letter = char(std::toupper(letter));
            std::string value = random_recipe(random, one, ranks);
            if (random.percent(25)) {
                const std::string border = random.percent(50) ? "64" : "1K";
                value =
                    "0-" + border + ": " + value + "; " + border + "-: " + random_recipe(random, one, ranks);
            }
            set(key, value);
        }
    }
    if (random.percent(40)) set("TRIALS", random.percent(75) ? "50" : "0");
    if (random.percent(30)) set("COMMUNICATORS", random.percent(50) ? "0" : "3");
    if (random.percent(15)) set("GROUPS", random_groups(random, ranks));
    if (random.percent(8)) set("MODE", random.percent(50) ? "native" : "off");
    if (random.percent(12)) set("REPRODUCIBLE", random.percent(50) ? "1" : "any");
    if (random.percent(25)) set("SUMMARY", "json:/dev/null");
    if (random.percent(8)) {
        const int other = random.below(ranks);
        if (rank == other) set("ALLREDUCE", random_recipe(random, "allreduce", ranks));
        if (rank == other && random.percent(50)) set("TRIALS", "20");
    }
    static const std::vector<std::string> windows{"0", "300K", "1M"};
    static const std::vector<std::string> direct_reads{"read=off", "read=8", "read=4K"};
    std::vector<std::string> window, place, trace;
    if (random.percent(20)) window.push_back(random.pick(windows));
    if (random.percent(40)) window.push_back(random.pick(direct_reads));
    if (!window.empty()) set("WINDOW", echelon::joined(window, ","));
    // Settings that may differ by rank.
    Random own(mix(seed, 0x0DD, rank));
    if (random.percent(15)) place.push_back(own.percent(50) ? "site=north" : "site=south");
    if (random.percent(15)) place.push_back(own.percent(50) ? "switch=left" : "switch=right");
    if (!place.empty()) set("PLACE", echelon::joined(place, ","));
    if (random.percent(15)) {
        if (own.percent(50)) set("SUMMARY", own.percent(50) ? "json:/dev/null" : "none");
        if (own.percent(50)) set("WATCHDOG", "3600");
        if (own.percent(50)) trace.push_back("/dev/null");
        if (!trace.empty() && own.percent(50)) trace.push_back("bytes=16-4K");
        if (!trace.empty() && own.percent(50)) trace.push_back("calls=2-5");
        if (!trace.empty()) set("TRACE", echelon::joined(trace, ","));
    }
    return settings;
}

}  // namespace fuzz
