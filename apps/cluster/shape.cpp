// SPDX-License-Identifier: Apache-2.0
#include "apps/cluster/shape.hpp"

#include "core/error.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <span>

namespace echelon::cluster {
namespace {

struct Unit {
    const char* name;
    double factor;
};

constexpr std::array times{Unit{"ns", 1}, Unit{"us", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}};
constexpr std::array rates{Unit{"K", 1e3}, Unit{"M", 1e6}, Unit{"G", 1e9}};

double parse(const std::string& text, std::span<const Unit> units, const char* wanted) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc{} && std::isfinite(number) && number >= 0) {
        if (rest == end && number == 0) return 0;
        for (const Unit& unit : units)
            if (std::string(rest, end) == unit.name) return number * unit.factor;
    }
    throw Error('\'' + text + "' is no " + wanted);
}

/// Writes the value in the largest unit in which it is 1 or more.
std::string written(double value, std::span<const Unit> units) {
    const Unit* unit = units.data();
    for (const Unit& other : units)
        if (value >= other.factor) unit = &other;
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%g %s", value / unit->factor, unit->name);
    return text.data();
}

std::string link(Nanoseconds latency, double rate, const char* way) {
    return written(double(latency), times) + way +
           (rate > 0 ? written(rate, rates) + "bit/s" : "no limit of rate");
}

}  // namespace

std::string to_string(const Shape& shape) {
    std::string text =
        std::to_string(shape.nodes) + " nodes, " + link(shape.latency, shape.rate, " one way, ");
    if (shape.racks > 1)
        text += "; " + std::to_string(shape.racks) + " racks, between them " +
                link(shape.trunk_latency, shape.trunk_rate, " more, ");
    return text;
}

Nanoseconds parse_latency(const std::string& text) {
    return Nanoseconds(std::llround(parse(text, times, "time such as 5ms or 50us")));
}

double parse_rate(const std::string& text) {
    return parse(text, rates, "rate in bits a second such as 20M or 1G");
}

}  // namespace echelon::cluster
