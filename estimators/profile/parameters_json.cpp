// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/parameters_json.hpp"

#include "estimators/profile/network_json.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echelon {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::array<std::uint8_t, TorusPosition::most_dimensions>;

/// One number for each dimension: sizes from 1 on, or positions below `limits`.
Numbers by_dimension(const JsonReader& reader, const std::optional<Numbers>& limits = {}) {
    Numbers made{};
    std::size_t d = 0;
    reader.each([&](const JsonReader& one) {
        if (d == made.size() || (limits && (*limits)[d] == 0)) reader.fail("a number for each dimension");
        made[d] = std::uint8_t(limits ? one.whole(0, (*limits)[d] - 1u) : one.whole(1, 255));
        ++d;
    });
    if (d == 0 || (limits && d < made.size() && (*limits)[d] > 0)) reader.fail("a number for each dimension");
    return made;
}

void read_torus(const JsonReader& reader, Parameters& into) {
    reader.object({"size", "hop", "link", "hops", "hosts"});
    TorusPosition position{.size = by_dimension(reader["size"])};
    if (room(position) > TorusPosition::most_nodes)
        reader["size"].fail("room for no more than " + std::to_string(TorusPosition::most_nodes) + " nodes");
    Torus& torus = into.machine.torus.emplace();
    torus.hop = reader["hop"].number();
    torus.link = reader.number("link", unlimited);
    if (torus.link == 0) reader["link"].fail("a rate above 0");
    torus.hops = int(reader["hops"].whole(1, TorusPosition::most_nodes));
    reader["hosts"].each([&](const JsonReader& host) {
        host.object({"host", "at"});
        position.at = by_dimension(host["at"], position.size);
        into.regions.push_back({{.torus = position}, {host["host"].text()}});
    });
}

using OfHost = std::map<std::string, Region>;

/// Reads the network between sites or switches, and the hosts of each.
void read_level(const JsonReader& reader, Level level, Parameters& into, OfHost& of_host) {
    reader.object({"network", "uplink", "hosts"});
    Beyond one{.level = level,
               .network = network_from_json(reader["network"]),
               .uplink = reader.number("uplink", unlimited),
               .residual = reader["network"].number("residual", 0)};
    if (one.uplink == 0) reader["uplink"].fail("a rate above 0");
    into.machine.beyond.push_back(std::move(one));
    std::uint64_t number = 0;
    reader["hosts"].each([&](const JsonReader& part) {
        ++number;
        part.each([&](const JsonReader& host) { of_host[host.text()].at(level) = number; });
    });
}

std::vector<Inhabitants> inhabitants(const OfHost& of_host) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, Inhabitants> by_region;
    for (const auto& [host, region] : of_host) {
        Inhabitants& there = by_region[{region.site, region.leaf_switch}];
        there.region = region;
        there.hosts.push_back(host);
    }
    std::vector<Inhabitants> made;
    for (auto& [where, there] : by_region) made.push_back(std::move(there));
    return made;
}

Json level_to_json(const Beyond& one, const std::vector<Inhabitants>& regions) {
    Json json;
    json["network"] = network_to_json(one.network);
    json["network"]["residual"] = one.residual;
    if (one.uplink < unlimited) json["uplink"] = one.uplink;
    std::map<std::uint64_t, Json> hosts;  // by number
    for (const Inhabitants& there : regions)
        if (const std::uint64_t number = there.region.at(one.level); number != 0)
            for (const std::string& host : there.hosts) hosts[number].push_back(host);
    json["hosts"] = Json::array();
    for (auto& [number, names] : hosts) json["hosts"].push_back(std::move(names));
    return json;
}

Json by_dimension(const Numbers& numbers, const TorusPosition& of) {
    Json json = Json::array();
    for (std::size_t d = 0; d < numbers.size() && of.size[d] > 0; ++d) json.push_back(int(numbers[d]));
    return json;
}

Json torus_to_json(const Torus& torus, const std::vector<Inhabitants>& regions) {
    Json json;
    const TorusPosition& any = regions.front().region.torus;
    json["size"] = by_dimension(any.size, any);
    json["hop"] = torus.hop;
    if (torus.link < unlimited) json["link"] = torus.link;
    json["hops"] = torus.hops;
    for (const Inhabitants& one : regions)
        for (const std::string& host : one.hosts)
            json["hosts"].push_back({{"host", host}, {"at", by_dimension(one.region.torus.at, any)}});
    return json;
}

/// Reads times per byte by number of ranks, which may not fall with more ranks.
void read_at_work(const JsonReader& reader, AtWork& into) {
    reader.each([&](const JsonReader& one) {
        one.object({"ranks", "copy", "combine"});
        const WorkAtOnce before = into.empty() ? WorkAtOnce{.ranks = 0} : into.back();
        WorkAtOnce& made = into.emplace_back();
        made.ranks = int(one["ranks"].whole(1, 1u << 20));
        made.copy = one["copy"].number();
        made.combine = one["combine"].number();
        if (made.ranks <= before.ranks) one["ranks"].fail("more than the one before has");
        if (made.copy < before.copy) one["copy"].fail("no less than that of fewer ranks");
        if (made.combine < before.combine) one["combine"].fail("no less than that of fewer ranks");
    });
}

}  // namespace

Parameters parameters_from_json(const JsonReader& reader) {
    reader.object({"inside", "between", "not_measured", "card", "memory", "gamma", "copy", "window",
                   "at_work", "residual", "switches", "sites", "torus"});
    Parameters made;
    made.machine.inside = network_from_json(reader["inside"]);
    made.machine.between = network_from_json(reader["between"]);
    if (reader.has("not_measured")) {
        const JsonReader missing = reader["not_measured"];
        const std::string which = missing.text();
        if (which != "inside" && which != "between") missing.fail("inside or between");
        (which == "inside" ? made.inside_is_measured : made.between_is_measured) = false;
    }
    const auto rate = [&](const char* key) {
        const double number = reader.number(key, unlimited);
        if (number == 0) reader[key].fail("a rate above 0");
        return number;
    };
    made.machine.card = rate("card");
    made.machine.memory = rate("memory");
    made.machine.gamma = reader.number("gamma", 0);
    made.machine.copy = reader.number("copy", 0);
    if (reader.has("window")) {
        const JsonReader window = reader["window"];
        window.object({"hand_over", "copy"});
        made.machine.window = {.hand_over = window["hand_over"].number(), .copy = window["copy"].number()};
    }
    if (reader.has("at_work")) read_at_work(reader["at_work"], made.machine.at_work);
    made.inside_residual = reader["inside"].number("residual", 0);
    made.between_residual = reader["between"].number("residual", 0);
    made.residual = reader.number("residual", made.residual);
    OfHost of_host;
    for (const Level level : all_levels)
        if (const std::string key(plural(level)); reader.has(key.c_str()))
            read_level(reader[key.c_str()], level, made, of_host);
    made.regions = inhabitants(of_host);
    if (reader.has("torus")) {
        if (!made.machine.beyond.empty()) reader["torus"].fail("left out where there are switches or sites");
        read_torus(reader["torus"], made);
    }
    return made;
}

Json parameters_to_json(const Parameters& parameters) {
    const Machine& machine = parameters.machine;
    Json json;
    json["inside"] = network_to_json(machine.inside);
    json["inside"]["residual"] = parameters.inside_residual;
    json["between"] = network_to_json(machine.between);
    json["between"]["residual"] = parameters.between_residual;
    if (!parameters.inside_is_measured) json["not_measured"] = "inside";
    if (!parameters.between_is_measured) json["not_measured"] = "between";
    if (machine.card < unlimited) json["card"] = machine.card;
    if (machine.memory < unlimited) json["memory"] = machine.memory;
    json["gamma"] = machine.gamma;
    json["copy"] = machine.copy;
    if (machine.window)
        json["window"] = {{"hand_over", machine.window->hand_over}, {"copy", machine.window->copy}};
    for (const WorkAtOnce& one : machine.at_work)
        json["at_work"].push_back({{"ranks", one.ranks}, {"copy", one.copy}, {"combine", one.combine}});
    json["residual"] = parameters.residual;
    for (const Beyond& one : machine.beyond)
        json[std::string(plural(one.level))] = level_to_json(one, parameters.regions);
    if (machine.torus && !parameters.regions.empty())
        json["torus"] = torus_to_json(*machine.torus, parameters.regions);
    return json;
}

}  // namespace echelon
