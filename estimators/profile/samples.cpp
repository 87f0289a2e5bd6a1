// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/samples.hpp"

#include "flat/catalog.hpp"
#include "hier/meaning.hpp"
#include "hier/shapes.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {

namespace {

/// Class by the growth of the cost: as many messages as ranks or their logarithm, of the whole vector or of
/// parts.
std::string_view class_of_row(std::string_view name) {
    const auto row =
        std::find_if(catalog().begin(), catalog().end(), [&](const auto& one) { return one.name == name; });
    if (row == catalog().end()) return "other";
    constexpr Problem many{.p = 64, .bytes = Bytes(1) << 20};
    const Cost cost = row->cost(many);
    const bool few_messages = cost.steps < many.p / 2;
    const bool parts = cost.volume < cost.steps * double(many.bytes) / 2;
    if (few_messages) return parts ? "butterfly" : "tree";
    return parts ? "ring" : "chain";
}

bool is_pipelined(const Recipe& recipe) { return recipe.is_shape() && recipe.segment.value_or(0) > 0; }

}  // namespace

bool SameSeries::operator()(const Recipe* a, const Recipe* b) const {
    return is_pipelined(*a) == is_pipelined(*b) && same_but_segments(*a, *b);
}

std::size_t SeriesHash::operator()(const Recipe* recipe) const {
    return hash_but_segments(*recipe) + (is_pipelined(*recipe) ? 1 : 0);
}

std::string family_of(const Recipe& recipe) {
    if (recipe.kind == Recipe::Kind::flat) return recipe.name;
    if (recipe.kind == Recipe::Kind::native) return "native";
    if (recipe.kind == Recipe::Kind::pair)
        return family_of(recipe.parts[0]) + '+' + family_of(recipe.parts[1]);
    const bool places = recipe.groups->needs_placement();
    return std::string(name(recipe.kind)) + '(' + (places ? to_string(*recipe.groups) : "groups") + ", " +
           family_of(recipe.inner()) + ", " + family_of(recipe.outer()) +
           (recipe.segment.value_or(0) > 0 ? ", seg)" : ")");
}

std::string_view class_of(const Recipe& recipe) {
    if (recipe.kind == Recipe::Kind::native) return "native";
    if (goes_through_memory(recipe)) return "memory";
    if (recipe.kind == Recipe::Kind::pair) return class_of(recipe.parts[0]);
    if (recipe.is_shape()) return name(recipe.kind);
    return class_of_row(recipe.name);
}

void Curve::add(Bytes bytes, double value, double spread) {
    if (!(value > 0) || !std::isfinite(value)) return;
    const Point point{bytes, std::log2(double(std::max<Bytes>(bytes, 1))), std::log2(value), spread};
    const auto at = std::lower_bound(points_.begin(), points_.end(), bytes,
                                     [](const Point& p, Bytes b) { return p.bytes < b; });
    if (at != points_.end() && at->bytes == bytes)
        *at = point;
    else
        points_.insert(at, point);
}

template <class Between>
Curve::Value Curve::found(Bytes bytes, Between&& between) const {
    const double x = std::log2(double(std::max<Bytes>(bytes, 1)));
    const auto after = std::lower_bound(points_.begin(), points_.end(), bytes,
                                        [](const Point& p, Bytes b) { return p.bytes < b; });
    const auto on = [&](const Point& point) {
        return Value{std::exp2(point.log_value), point.spread, std::abs(point.log_bytes - x), 0, false};
    };
    if (after == points_.end()) return on(points_.back());
    if (after->bytes == bytes || after == points_.begin()) {
        Value value = on(*after);
        value.inside = after->bytes == bytes;
        return value;
    }
    const Point &a = *(after - 1), &b = *after;
    return {between(a, b, x), std::max(a.spread, b.spread), std::min(x - a.log_bytes, b.log_bytes - x),
            b.log_bytes - a.log_bytes, true};
}

Curve::Value Curve::at(Bytes bytes) const {
    return found(bytes, [](const Point& a, const Point& b, double x) {
        const double share = b.log_bytes > a.log_bytes ? (x - a.log_bytes) / (b.log_bytes - a.log_bytes) : 0;
        return std::exp2(a.log_value + share * (b.log_value - a.log_value));
    });
}

Curve::Value Curve::on_line(Bytes bytes) const {
    return found(bytes, [&](const Point& a, const Point& b, double) {
        return std::lerp(std::exp2(a.log_value), std::exp2(b.log_value),
                         double(bytes - a.bytes) / double(b.bytes - a.bytes));
    });
}

}  // namespace echelon
