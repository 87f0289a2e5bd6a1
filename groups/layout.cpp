// SPDX-License-Identifier: Apache-2.0
#include "groups/layout.hpp"

#include "core/error.hpp"
#include "core/format.hpp"
#include "core/words.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace echelon {
namespace {

constexpr int most_ranks = 1 << 20;
constexpr const char *cyclic = " cyclic", *mixed = " mixed";

/// The content of a layout's words.
struct Plan {
    std::vector<int> ranks_of_node;
    bool in_turns = false;
    /// The switch, or site, of each node; empty: all nodes share one.
    std::map<Level, std::vector<int>> of_node = {};
    /// True if the words determine the placement.
    bool whole = true;
};

/// The node of each rank.
std::vector<int> nodes_of(const Plan& plan) {
    std::vector<int> made;
    const int rounds = plan.in_turns ? std::ranges::max(plan.ranks_of_node) : 1;
    for (int round = 0; round < rounds; ++round)
        for (std::size_t node = 0; node < plan.ranks_of_node.size(); ++node) {
            const int ranks = plan.ranks_of_node[node], now = plan.in_turns ? int(round < ranks) : ranks;
            made.insert(made.end(), std::size_t(now), int(node));
        }
    return made;
}

/// The part of each of `many` items that are divided evenly.
std::vector<int> evenly(int many, int parts) {
    std::vector<int> made;
    for (int one = 0; one < many; ++one) made.push_back(int(std::int64_t(one) * parts / many));
    return made;
}

std::vector<int> counts_of(std::span<const int> numbers, int kinds) {
    std::vector<int> counts(static_cast<std::size_t>(kinds));
    for (const int number : numbers) ++counts[std::size_t(number)];
    return counts;
}

/// "15x4", "1x2".
std::vector<std::string> runs(const std::vector<int>& ranks_of_node) {
    std::vector<std::string> made;
    for (auto from = ranks_of_node.begin(); from != ranks_of_node.end();) {
        const auto to = std::find_if(from, ranks_of_node.end(), [&](int ranks) { return ranks != *from; });
        made.push_back(format("%dx%d", int(to - from), *from));
        from = to;
    }
    return made;
}

/// Words, and a flag: they determine their part of the placement.
struct Words {
    std::string text;
    bool tell_all = true;
};

/// "15x4+1x2" or "16x4 cyclic". If these words do not determine the placement or are too long to read, "16x4
/// mixed" or "62 on 16".
Words words_of_nodes(Plan plan, const Placement& placement) {
    constexpr std::size_t readable = 8;
    const std::vector<std::string> all = runs(plan.ranks_of_node);
    const std::string text = joined(all, "+");
    if (all.size() <= readable)
        for (const bool in_turns : {false, true}) {
            plan.in_turns = in_turns;
            if (std::ranges::equal(nodes_of(plan), placement.nodes()))
                return {in_turns ? text + cyclic : text};
        }
    return {all.size() == 1 ? text + mixed : format("%d on %d", placement.size(), placement.node_count()),
            false};
}

/// " on 2 sites" or " on sites 10+6", or empty; likewise for switches.
Words words_of(Level level, const Placement& placement) {
    if (!placement.knows(level)) return {};
    const std::vector<int> of_node = placement.by_node(level);
    const int parts = 1 + std::ranges::max(of_node);
    const std::string all = format(" on %d ", parts) + std::string(plural(level));
    if (of_node == evenly(int(of_node.size()), parts)) return {all};
    if (!std::ranges::is_sorted(of_node)) return {all, false};
    return {" on " + std::string(plural(level)) + ' ' +
            joined(counts_of(of_node, parts), "+", [](int nodes) { return std::to_string(nodes); })};
}

/// A hash of the placement, equal on every machine.
unsigned number_of_all(const Placement& placement) {
    std::string bytes;
    const auto add = [&](std::span<const int> numbers) {
        for (const int number : numbers)
            for (const int shift : {0, 8, 16, 24}) bytes += char(number >> shift);
    };
    add(placement.nodes());
    add(placement.sites());
    if (placement.knows(Level::leaf_switch)) add(placement.switches());
    // Positions are relative to the first node's, wherever it is in the torus.
    for (const TorusPosition& one : placement.torus())
        for (std::size_t d = 0; d < one.size.size() && one.size[d] > 0; ++d) {
            bytes += char((one.at[d] + one.size[d] - placement.torus().front().at[d]) % one.size[d]);
            bytes += char(one.size[d]);
        }
    return unsigned(node_key(bytes));
}

/// Takes a number from the front of the text: 1 to `most_ranks`.
std::optional<int> number(std::string_view& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 1 || value > most_ranks) return std::nullopt;
    text.remove_prefix(std::size_t(end - text.data()));
    return value;
}

bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

/// Takes "62 on 16" from the front.
std::optional<std::vector<int>> take_evenly(std::string_view& text) {
    const auto ranks = number(text);
    if (!ranks || !take(text, " on ")) return std::nullopt;
    const auto nodes = number(text);
    if (!nodes || *nodes > *ranks) return std::nullopt;
    return counts_of(evenly(*ranks, *nodes), *nodes);
}

/// Takes "15x4+1x2" from the front.
std::optional<std::vector<int>> take_runs(std::string_view& text) {
    std::vector<int> ranks_of_node;
    int p = 0;
    do {
        const auto nodes = number(text);
        if (!nodes || !take(text, "x")) return std::nullopt;
        const auto ranks = number(text);
        if (!ranks || *nodes > (most_ranks - p) / *ranks) return std::nullopt;
        p += *nodes * *ranks;
        ranks_of_node.insert(ranks_of_node.end(), std::size_t(*nodes), *ranks);
    } while (take(text, "+"));
    return ranks_of_node;
}

/// Takes " on 2 sites" or " on sites 10+6" from the front; likewise for switches. Text of another form stays.
std::optional<std::vector<int>> take_parts(std::string_view& text, Level level, int nodes) {
    std::string_view rest = text;
    std::vector<int> of_node;
    if (take(rest, " on " + std::string(plural(level)) + ' ')) {
        int part = 0;
        do {
            const auto some = number(rest);
            if (!some || *some > nodes - int(of_node.size())) return std::nullopt;
            of_node.insert(of_node.end(), std::size_t(*some), part++);
        } while (take(rest, "+"));
        if (int(of_node.size()) < nodes || part < 2) return std::nullopt;
    } else {
        const auto parts = take(rest, " on ") ? number(rest) : std::nullopt;
        if (!parts || *parts < 2 || *parts > nodes || !take(rest, ' ' + std::string(plural(level))))
            return std::nullopt;
        of_node = evenly(nodes, *parts);
    }
    text = rest;
    return of_node;
}

/// True if no switch belongs to two sites.
bool are_nested(const std::vector<int>& switches, const std::vector<int>& sites) {
    for (std::size_t node = 1; node < std::min(switches.size(), sites.size()); ++node)
        if (switches[node] == switches[node - 1] && sites[node] != sites[node - 1]) return false;
    return true;
}

bool is_number_of_all(std::string_view text) {
    constexpr std::size_t digits = 8;
    return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<Plan> plan_of(std::string_view text) {
    Plan made;
    std::string_view rest = text;
    auto nodes = take_runs(rest);
    made.whole = nodes.has_value();
    if (!nodes) nodes = take_evenly(rest = text);
    if (!nodes) return std::nullopt;
    made.ranks_of_node = std::move(*nodes);
    made.in_turns = made.whole && take(rest, cyclic);
    if (made.whole && take(rest, mixed)) made.whole = false;
    for (const Level level : all_levels)
        if (auto parts = take_parts(rest, level, int(made.ranks_of_node.size())))
            made.of_node[level] = std::move(*parts);
    if (!are_nested(made.of_node[Level::leaf_switch], made.of_node[Level::site])) return std::nullopt;
    if (take(rest, " #") && is_number_of_all(rest)) {
        made.whole = false;
        rest = {};
    }
    return rest.empty() ? std::optional(made) : std::nullopt;
}

}  // namespace

std::string layout_of(const Placement& placement) {
    const Plan plan{.ranks_of_node = counts_of(placement.nodes(), placement.node_count())};
    auto [text, tells_all] = words_of_nodes(plan, placement);
    for (const Level level : all_levels) {
        const Words words = words_of(level, placement);
        text += words.text;
        tells_all = tells_all && words.tell_all;
    }
    if (tells_all && placement.torus().empty()) return text;
    return text + format(" #%08x", number_of_all(placement));
}

Placement placement_of_layout(const std::string& layout) {
    const auto plan = plan_of(layout);
    if (!plan)
        throw Error(
            "layout '" + layout +
            "': expected nodes x ranks such as 16x4, 15x4+1x2 or 16x4 cyclic, or ranks on nodes such as 62 on 16, "
            "and several switches or sites as in 16x4 on 2 sites or 16x4 on 4 switches on 2 sites");
    std::vector<Location> locations;
    for (const int node : nodes_of(*plan)) {
        Region region;
        for (const auto& [level, of_node] : plan->of_node)
            if (!of_node.empty()) region.at(level) = 1 + std::uint64_t(of_node[std::size_t(node)]);
        locations.push_back({.node = std::uint64_t(node), .region = region});
    }
    return Placement::from(locations);
}

bool tells_every_rank(const std::string& layout) {
    const auto plan = plan_of(layout);
    return plan && plan->whole;
}

bool is_old(const std::string& layout) {
    const auto plan = plan_of(layout);
    return plan && !plan->whole && layout.find('#') == std::string::npos;
}

Extent extent_of_layout(const std::string& layout) {
    const auto plan = plan_of(layout);
    if (!plan) return {0, 1};
    const auto& sites = plan->of_node.at(Level::site);
    return {int(plan->ranks_of_node.size()), sites.empty() ? 1 : 1 + std::ranges::max(sites)};
}

}  // namespace echelon
