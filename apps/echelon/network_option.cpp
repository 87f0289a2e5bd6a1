// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/network_option.hpp"

#include "core/error.hpp"
#include "core/spelling.hpp"
#include "core/words.hpp"

#include <array>
#include <charconv>
#include <map>
#include <sstream>

namespace echelon::tool {
namespace {

using Parameters = std::map<std::string, Seconds>;

Parameters parse_parameters(const std::string& text, const std::string& whose,
                            std::initializer_list<const char*> known) {
    Parameters parameters;
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');) {
        const auto equals = item.find('=');
        const std::string key = item.substr(0, equals);
        if (std::find(known.begin(), known.end(), key) == known.end() || equals == std::string::npos)
            throw Error(whose + " has no parameter '" + item + "'; it takes " + joined(known, ", "));
        parameters[key] = parse_seconds(item.substr(equals + 1));
    }
    for (const char* const name : known)
        if (!parameters.contains(name))
            throw Error(whose + " lacks " + name + "; write it out, as 0us where it is nothing");
    return parameters;
}

}  // namespace

Seconds parse_seconds(const std::string& text) {
    Seconds number = 0;
    const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string unit(rest, text.data() + text.size());
    constexpr std::array<std::pair<const char*, double>, 5> units{
        {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}}};
    for (const auto& [name, factor] : units)
        if (failure == std::errc() && number >= 0 && (unit == name || (unit.empty() && number == 0)))
            return number * factor;
    throw Error("'" + text + "' is no time; write a number and a unit such as 10us or 0.3ns");
}

SharedMemory parse_shared_memory(const std::string& text) {
    auto p = parse_parameters(text, "the window", {"hand_over", "copy"});
    return {.hand_over = p["hand_over"], .copy = p["copy"]};
}

Network parse_network(const std::string& text) {
    const auto colon = text.find(':');
    const std::string model = text.substr(0, colon),
                      rest = colon == std::string::npos ? "" : text.substr(colon + 1);
    const auto with = [&](std::initializer_list<const char*> known) {
        return parse_parameters(rest, "model '" + model + "'", known);
    };
    if (model == "hockney") {
        auto p = with({"alpha", "beta"});
        return Hockney{p["alpha"], p["beta"]};
    }
    if (model == "loggp") {
        auto p = with({"L", "o", "g", "G"});
        return LogGP{.latency = p["L"], .overhead = p["o"], .gap = p["g"], .per_byte = p["G"]};
    }
    if (model == "postal") {
        auto p = with({"alpha_p", "alpha_r", "beta"});
        return Postal{.alpha_p = p["alpha_p"], .alpha_r = p["alpha_r"], .beta = p["beta"]};
    }
    throw Error("model " + is_none_of(model, {"hockney", "loggp", "postal"}));
}

}  // namespace echelon::tool
