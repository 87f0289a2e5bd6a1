// SPDX-License-Identifier: Apache-2.0
#include "front/told_lines.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace echelon {
namespace {

Bytes bytes_of(const Told& told) { return told.key.count * told.key.element_size; }
bool is_native(const Told& told) { return told.decision->choice.recipe.kind == Recipe::Kind::native; }

/// The same recipes, that take about as much more or less than each other.
bool is_same(const ToldChoice& a, const ToldChoice& b) {
    constexpr double little = 1.2;
    const auto is_alike = [&](const Tournament::Arm& one, const Tournament::Arm& other) {
        const double ours = one.expected * b.arms.front().expected,
                     theirs = other.expected * a.arms.front().expected;
        return one.recipe == other.recipe && one.known == other.known && one.seen == other.seen &&
               ours <= little * theirs && theirs <= little * ours;
    };
    return a.choice.recipe == b.choice.recipe && a.choice.source == b.choice.source &&
           a.choice.evidence.known() == b.choice.evidence.known() &&
           std::ranges::equal(a.arms, b.arms, is_alike);
}

using Each = std::vector<Told>::iterator;

/// Of calls that differ in size alone, in ascending order.
std::string lines_of(Each one, Each end, const CallClasses& classes) {
    std::string text;
    while (one != end) {
        Told row = *one;
        row.until = 2 * bytes_of(row);
        for (++one; one != end && bytes_of(*one) <= row.until; ++one) {
            const bool goes_on = is_same(*row.decision, *one->decision) &&
                                 classes.of(row.key).part == classes.of(one->key).part;
            row.until = goes_on ? 2 * bytes_of(*one) : bytes_of(*one);
            if (!goes_on) break;
        }
        if (!is_native(row) || !std::has_single_bit(bytes_of(row))) text += to_line(row);
    }
    return text;
}

/// Of a collective's exact calls something that is not said of those that round.
bool differs(Each exact, Each end, Each rounding, Each end_of_rounding) {
    return std::any_of(exact, end, [&](const Told& one) {
        const auto other = std::find_if(rounding, end_of_rounding,
                                        [&](const Told& told) { return bytes_of(told) == bytes_of(one); });
        return other == end_of_rounding || !is_same(*one.decision, *other->decision);
    });
}

}  // namespace

std::string lines_of(std::vector<Told> all, const CallClasses& classes) {
    const auto place = [](const Told& told) {
        return std::tuple(told.key.collective, told.key.exact, bytes_of(told));
    };
    std::ranges::stable_sort(all, {}, place);
    const auto is_same_call = [&](const Told& a, const Told& b) { return place(a) == place(b); };
    all.erase(std::unique(all.begin(), all.end(), is_same_call), all.end());
    std::string text;
    for (Each at = all.begin(); at != all.end();) {
        const Collective collective = at->key.collective;
        const Each exact = std::find_if(at, all.end(), [&](const Told& told) {
            return told.key.collective != collective || told.key.exact;
        });
        const Each end = std::find_if(exact, all.end(),
                                      [&](const Told& told) { return told.key.collective != collective; });
        text += lines_of(at, exact, classes);
        if (differs(exact, end, at, exact)) text += lines_of(exact, end, classes);
        at = end;
    }
    return text;
}

}  // namespace echelon
