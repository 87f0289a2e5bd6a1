// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/parameters_json.hpp"

#include "estimators/profile/network_json.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echelon {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::array<std::uint8_t, TorusPosition::most_dimensions>;

/// One number for each dimension: sizes from 1 on, or positions below those of `limits`.
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

}  // namespace

Parameters parameters_from_json(const JsonReader& reader) {
    reader.object({"inside", "between", "not_measured", "card", "memory", "gamma", "copy", "window",
                   "residual", "sites", "torus"});
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
    made.inside_residual = reader["inside"].number("residual", 0);
    made.between_residual = reader["between"].number("residual", 0);
    made.residual = reader.number("residual", made.residual);
    if (reader.has("sites")) {
        const JsonReader sites = reader["sites"];
        sites.object({"network", "uplink", "hosts"});
        Beyond level{.network = network_from_json(sites["network"]),
                     .uplink = sites.number("uplink", unlimited)};
        if (level.uplink == 0) sites["uplink"].fail("a rate above 0");
        made.machine.beyond.push_back(std::move(level));
        made.beyond_residual = sites["network"].number("residual", 0);
        sites["hosts"].each([&](const JsonReader& site) {
            auto& one = made.regions.emplace_back();
            one.region.site = made.regions.size();
            site.each([&](const JsonReader& host) { one.hosts.push_back(host.text()); });
        });
    }
    if (reader.has("torus")) {
        if (reader.has("sites")) reader["torus"].fail("left out where there are sites");
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
    json["residual"] = parameters.residual;
    if (!machine.beyond.empty()) {
        const Beyond& level = machine.beyond.front();
        Json& sites = json["sites"];
        sites["network"] = network_to_json(level.network);
        sites["network"]["residual"] = parameters.beyond_residual;
        if (level.uplink < unlimited) sites["uplink"] = level.uplink;
        sites["hosts"] = Json::array();
        for (const Inhabitants& one : parameters.regions) sites["hosts"].push_back(one.hosts);
    }
    if (machine.torus && !parameters.regions.empty())
        json["torus"] = torus_to_json(*machine.torus, parameters.regions);
    return json;
}

}  // namespace echelon
