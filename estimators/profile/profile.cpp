// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/profile.hpp"

#include "core/words.hpp"
#include "estimators/profile/fingerprint_json.hpp"
#include "estimators/profile/parameters_json.hpp"

#include <algorithm>

namespace echelon {
namespace {

using Json = nlohmann::ordered_json;

constexpr int most_ranks = 1 << 30;
constexpr Bytes most_bytes = ~Bytes(0);

Json sizes_to_json(const ByteRange& sizes) {
    Json json{{"from", sizes.from}};
    if (sizes.to != most_bytes) json["to"] = sizes.to;
    return json;
}

ByteRange sizes_from_json(const JsonReader& reader) {
    ByteRange sizes;
    if (reader.has("from")) sizes.from = reader["from"].whole(0, most_bytes);
    if (reader.has("to")) sizes.to = reader["to"].whole(0, most_bytes);
    return sizes;
}

Collective collective_of(const JsonReader& reader) {
    const auto collective = collective_named(reader["collective"].text());
    if (!collective) reader["collective"].fail("the name of a collective such as allreduce");
    return *collective;
}

Recipe recipe_of(const JsonReader& reader) {
    return reader["recipe"].made([](const std::string& text) { return Recipe::parse(text); });
}

int ranks_of(const JsonReader& reader, const char* key) { return int(reader[key].whole(1, most_ranks)); }

double above_0(const JsonReader& reader, const char* key, const char* what = "a number above 0") {
    const double number = reader[key].number();
    if (number == 0) reader[key].fail(what);
    return number;
}

Correction correction_of(const JsonReader& reader) {
    reader.object({"collective", "family", "p", "nodes", "sites", "points", "spread"});
    Correction made{.collective = collective_of(reader),
                    .family = reader["family"].text(),
                    .spread = reader.number("spread", 0),
                    .p = reader.has("p") ? ranks_of(reader, "p") : 0,
                    .nodes = reader.has("nodes") ? ranks_of(reader, "nodes") : 0,
                    .sites = reader.has("sites") ? ranks_of(reader, "sites") : 0};
    reader["points"].each([&](const JsonReader& point) {
        point.object({"bytes", "factor", "of_sum"});
        const Bytes bytes = point["bytes"].whole(0, most_bytes);
        const double factor = above_0(point, "factor"),
                     of_sum = point.has("of_sum") ? above_0(point, "of_sum") : factor;
        if (!made.points.empty() && bytes <= made.points.back().bytes)
            point["bytes"].fail("points in ascending order");
        made.points.push_back({bytes, factor, of_sum});
    });
    return made;
}

Likeness likeness_of(const JsonReader& one) {
    one.object({"collective", "p", "layout", "recipe", "points"});
    Likeness made{.collective = collective_of(one),
                  .p = ranks_of(one, "p"),
                  .layout = one["layout"].text(),
                  .recipe = recipe_of(one)};
    if (made.recipe.kind == Recipe::Kind::native || made.recipe.has_native_parts())
        one["recipe"].fail("a recipe without native parts");
    one["points"].each([&](const JsonReader& point) {
        point.object({"bytes", "share"});
        const Bytes bytes = point["bytes"].whole(0, most_bytes);
        if (!made.points.empty() && bytes <= made.points.back().bytes)
            point["bytes"].fail("points in ascending order");
        made.points.push_back({bytes, above_0(point, "share")});
    });
    return made;
}

Sample sample_of(const JsonReader& one) {
    one.object({"collective", "p", "layout", "bytes", "recipe", "seconds", "spread", "in_a_row"});
    return {.collective = collective_of(one),
            .p = ranks_of(one, "p"),
            .layout = one["layout"].text(),
            .bytes = one["bytes"].whole(0, most_bytes),
            .recipe = recipe_of(one),
            .seconds = above_0(one, "seconds", "a time above 0"),
            .spread = one.number("spread", 0),
            .in_a_row = one.number("in_a_row", 0)};
}

LearnedDecision decision_of(const JsonReader& one) {
    one.object({"collective", "p", "layout", "from", "to", "recipe", "seconds", "native_seconds"});
    return {.collective = collective_of(one),
            .p = ranks_of(one, "p"),
            .layout = one["layout"].text(),
            .sizes = sizes_from_json(one),
            .recipe = recipe_of(one),
            .seconds = one.number("seconds", 0),
            .native_seconds = one.number("native_seconds", 0)};
}

Foreseen foreseen_of(const JsonReader& one) {
    one.object({"collective", "p", "layout", "rounds", "recipe", "rivals", "points"});
    Foreseen made{.collective = collective_of(one),
                  .p = ranks_of(one, "p"),
                  .layout = one["layout"].text(),
                  .exact = !one.has("rounds") || !one["rounds"].truth(),
                  .recipe = recipe_of(one)};
    const auto parsed = [](const std::string& text) { return Recipe::parse(text); };
    if (one.has("rivals"))
        one["rivals"].each([&](const JsonReader& rival) { made.rivals.push_back(rival.made(parsed)); });
    one["points"].each([&](const JsonReader& point) {
        point.object({"bytes", "measured", "seconds", "paces"});
        Foreseen::Point each{.bytes = point["bytes"].whole(0, most_bytes),
                             .measured = point.has("measured") && point["measured"].truth(),
                             .seconds = {}};
        if (!made.points.empty() && each.bytes <= made.points.back().bytes)
            point["bytes"].fail("points in ascending order");
        point["seconds"].each([&](const JsonReader& time) { each.seconds.push_back(time.number()); });
        if (each.seconds.size() != 2 + made.rivals.size())
            point["seconds"].fail("times of the recipe, of native and of each rival");
        if (point.has("paces")) {
            point["paces"].each([&](const JsonReader& pace) { each.paces.push_back(pace.number()); });
            if (each.paces.size() != each.seconds.size()) point["paces"].fail("a factor for each time");
        }
        made.points.push_back(std::move(each));
    });
    return made;
}

Rule rule_of(const JsonReader& one) {
    one.object({"collective", "from", "to", "p_from", "p_to", "recipe"});
    Rule rule{.collective = collective_of(one), .sizes = sizes_from_json(one), .recipe = recipe_of(one)};
    if (one.has("p_from")) rule.p_from = ranks_of(one, "p_from");
    if (one.has("p_to")) rule.p_to = ranks_of(one, "p_to");
    return rule;
}

NotReached not_reached_of(const JsonReader& one) {
    one.object({"collective", "p", "layout", "sizes"});
    NotReached left{
        .collective = collective_of(one), .p = ranks_of(one, "p"), .layout = one["layout"].text()};
    one["sizes"].each([&](const JsonReader& size) { left.sizes.push_back(size.whole(0, most_bytes)); });
    return left;
}

/// Reads the entries of a list if it is present.
template <class Entry>
void read_each(const JsonReader& reader, const char* list, std::vector<Entry>& entries,
               Entry (*entry_of)(const JsonReader&)) {
    if (!reader.has(list)) return;
    reader.attempt(
        [&] { reader[list].each([&](const JsonReader& one) { entries.push_back(entry_of(one)); }); });
}

Json entry(const Rule& rule) {
    Json one{{"collective", name(rule.collective)}};
    one.update(sizes_to_json(rule.sizes));
    one["p_from"] = rule.p_from;
    if (rule.p_to != most_ranks) one["p_to"] = rule.p_to;
    one["recipe"] = to_string(rule.recipe);
    return one;
}

Json entry(const LearnedDecision& decision) {
    Json one{{"collective", name(decision.collective)}, {"p", decision.p}, {"layout", decision.layout}};
    one.update(sizes_to_json(decision.sizes));
    one["recipe"] = to_string(decision.recipe);
    one["seconds"] = decision.seconds;
    one["native_seconds"] = decision.native_seconds;
    return one;
}

Json entry(const Foreseen& foreseen) {
    Json one{{"collective", name(foreseen.collective)}, {"p", foreseen.p}, {"layout", foreseen.layout}};
    if (!foreseen.exact) one["rounds"] = true;
    one["recipe"] = to_string(foreseen.recipe);
    for (const Recipe& rival : foreseen.rivals) one["rivals"].push_back(to_string(rival));
    one["points"] = Json::array();
    for (const Foreseen::Point& point : foreseen.points) {
        Json& made = one["points"].emplace_back(Json{{"bytes", point.bytes}});
        if (point.measured) made["measured"] = true;
        made["seconds"] = point.seconds;
        if (!point.paces.empty()) made["paces"] = point.paces;
    }
    return one;
}

Json entry(const Correction& correction) {
    Json points = Json::array();
    for (const auto& [bytes, factor, of_sum] : correction.points) {
        points.push_back({{"bytes", bytes}, {"factor", factor}});
        if (of_sum != factor) points.back()["of_sum"] = of_sum;
    }
    Json one{{"collective", name(correction.collective)}, {"family", correction.family}};
    if (correction.p > 0) one["p"] = correction.p;
    if (correction.nodes > 0) one["nodes"] = correction.nodes;
    if (correction.sites > 1) one["sites"] = correction.sites;
    one["spread"] = correction.spread;
    one["points"] = points;
    return one;
}

Json entry(const Likeness& likeness) {
    Json points = Json::array();
    for (const auto& [bytes, share] : likeness.points) points.push_back({{"bytes", bytes}, {"share", share}});
    return {{"collective", name(likeness.collective)},
            {"p", likeness.p},
            {"layout", likeness.layout},
            {"recipe", to_string(likeness.recipe)},
            {"points", points}};
}

Json entry(const Sample& sample) {
    Json json{{"collective", name(sample.collective)},
              {"p", sample.p},
              {"layout", sample.layout},
              {"bytes", sample.bytes},
              {"recipe", to_string(sample.recipe)},
              {"seconds", sample.seconds},
              {"spread", sample.spread}};
    if (sample.in_a_row > 0) json["in_a_row"] = sample.in_a_row;
    return json;
}

Json entry(const NotReached& left) {
    return {
        {"collective", name(left.collective)}, {"p", left.p}, {"layout", left.layout}, {"sizes", left.sizes}};
}

template <class Entry>
Json list_of(const std::vector<Entry>& entries) {
    Json list = Json::array();
    for (const Entry& one : entries) list.push_back(entry(one));
    return list;
}

/// The place of a byte, counted from 1: "line 3, column 17".
std::string line_and_column(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
    const auto newline = before.rfind('\n');  // npos + 1 is 0
    return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", column " +
           std::to_string(before.size() - (newline + 1) + 1);
}

/// JSON with one list entry per line: long lists and differences between two profiles stay readable.
std::string in_lines(const Json& json) {
    std::string text = "{\n";
    bool first = true;
    for (const auto& [key, value] : json.items()) {
        text += (first ? "" : ",\n") + std::string("  \"") + key + "\": ";
        first = false;
        if (!value.is_array() || value.empty()) {
            text += value.dump();
            continue;
        }
        text += '[';
        for (std::size_t i = 0; i < value.size(); ++i)
            text += (i == 0 ? "\n    " : ",\n    ") + value[i].dump();
        text += "\n  ]";
    }
    return text + "\n}\n";
}

}  // namespace

std::string_view not_measured(const Parameters& parameters, int p, int nodes) {
    if (!parameters.inside_is_measured && nodes < p) return "inside nodes";
    if (!parameters.between_is_measured && nodes > 1) return "between nodes";
    return "";
}

std::string layout_in(const Profile& profile, const Placement& placement) {
    return layout_on(profile.parameters ? profile.parameters->machine : Machine(), placement);
}

Profile without_native_parts(Profile profile) {
    const auto unusable = [](const auto& one) { return one.recipe.has_native_parts(); };
    std::erase_if(profile.samples, unusable);
    std::erase_if(profile.decisions, unusable);
    std::erase_if(profile.foreseen, [](const Foreseen& one) {
        return one.recipe.has_native_parts() || std::ranges::any_of(one.rivals, &Recipe::has_native_parts);
    });
    return profile;
}

std::string difference(const Fingerprint& profile, const Fingerprint& here) {
    std::string text;
    const auto compare = [&](const char* what, const std::string& then, const std::string& now) {
        if (then == now || then.empty()) return;
        text += (text.empty() ? "" : "; ") + std::string(what) + " was " + then + " and is " + now;
    };
    compare("the MPI library", profile.mpi, here.mpi);
    compare("the processor", profile.processor, here.processor);
    compare("the network", joined(profile.networks, ", "), joined(here.networks, ", "));
    return text;
}

Profile Profile::parse(std::string_view text, Remarks* remarks) {
    nlohmann::json document;
    try {
        document = nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        throw Error("not JSON at " + line_and_column(text, error.byte));
    } catch (const nlohmann::json::exception&) {
        throw Error("not JSON: a number is out of range");
    }
    const JsonReader reader(document, "", remarks);
    if (!document.is_object() || !document.contains("echelon_profile"))
        throw Error("not a profile: 'echelon_profile', the version, is missing");
    const auto found = reader["echelon_profile"].whole(0, 1 << 30);
    if (found != std::uint64_t(version))
        throw Error("its format is version " + std::to_string(found) + ", and this Echelon reads version " +
                    std::to_string(version) + ": " +
                    (found > std::uint64_t(version) ? "install a newer Echelon, or calibrate again"
                                                    : "calibrate again"));

    reader.object({"echelon_profile", "fingerprint", "parameters", "samples", "corrections", "likenesses",
                   "decisions", "foreseen", "rules", "not_reached"});
    Profile made;
    reader.attempt([&] {
        if (reader.has("fingerprint")) made.fingerprint = fingerprint_from(reader["fingerprint"]);
    });
    reader.attempt([&] {
        if (reader.has("parameters")) made.parameters = parameters_from_json(reader["parameters"]);
    });
    read_each(reader, "samples", made.samples, sample_of);
    read_each(reader, "corrections", made.corrections, correction_of);
    read_each(reader, "likenesses", made.likenesses, likeness_of);
    read_each(reader, "decisions", made.decisions, decision_of);
    read_each(reader, "foreseen", made.foreseen, foreseen_of);
    read_each(reader, "rules", made.rules, rule_of);
    read_each(reader, "not_reached", made.not_reached, not_reached_of);
    return made;
}

std::string to_json(const Profile& profile) {
    Json json{{"echelon_profile", Profile::version}};
    json["fingerprint"] = {{"mpi", profile.fingerprint.mpi},
                           {"processor", profile.fingerprint.processor},
                           {"networks", profile.fingerprint.networks},
                           {"ranks_per_node", profile.fingerprint.ranks_per_node}};
    if (profile.parameters) json["parameters"] = parameters_to_json(*profile.parameters);
    json["rules"] = list_of(profile.rules);
    json["decisions"] = list_of(profile.decisions);
    if (!profile.foreseen.empty()) json["foreseen"] = list_of(profile.foreseen);
    json["corrections"] = list_of(profile.corrections);
    if (!profile.likenesses.empty()) json["likenesses"] = list_of(profile.likenesses);
    if (!profile.not_reached.empty()) json["not_reached"] = list_of(profile.not_reached);
    json["samples"] = list_of(profile.samples);
    return in_lines(json);
}

}  // namespace echelon
