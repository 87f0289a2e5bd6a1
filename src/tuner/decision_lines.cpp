// SPDX-License-Identifier: Apache-2.0
#include "tuner/decision_lines.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace echelon {
namespace {

Bytes bytes_of(const DecisionMessage& message) { return message.key.count * message.key.element_size; }
bool is_native(const DecisionMessage& message) {
    return message.decision->choice.recipe.kind == Recipe::Kind::native;
}

/// True for the same recipes with about the same ratios of expected times.
bool is_same(const CallDecision& a, const CallDecision& b) {
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

using Each = std::vector<DecisionMessage>::iterator;

/// Lines for calls that differ in size alone, in ascending order.
std::string lines_of(Each one, Each end, const CallClasses& classes) {
    std::string text;
    while (one != end) {
        DecisionMessage row = *one;
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

/// True if the exact calls have a decision that the rounding calls do not have.
bool differs(Each exact, Each end, Each rounding, Each end_of_rounding) {
    return std::any_of(exact, end, [&](const DecisionMessage& one) {
        const auto other = std::find_if(rounding, end_of_rounding, [&](const DecisionMessage& message) {
            return bytes_of(message) == bytes_of(one);
        });
        return other == end_of_rounding || !is_same(*one.decision, *other->decision);
    });
}

}  // namespace

std::string lines_of(std::vector<DecisionMessage> all, const CallClasses& classes) {
    const auto place = [](const DecisionMessage& message) {
        return std::tuple(message.key.collective, message.key.exact, bytes_of(message));
    };
    std::ranges::stable_sort(all, {}, place);
    const auto is_same_call = [&](const DecisionMessage& a, const DecisionMessage& b) {
        return place(a) == place(b);
    };
    all.erase(std::unique(all.begin(), all.end(), is_same_call), all.end());
    std::string text;
    for (Each at = all.begin(); at != all.end();) {
        const Collective collective = at->key.collective;
        const Each exact = std::find_if(at, all.end(), [&](const DecisionMessage& message) {
            return message.key.collective != collective || message.key.exact;
        });
        const Each end = std::find_if(exact, all.end(), [&](const DecisionMessage& message) {
            return message.key.collective != collective;
        });
        text += lines_of(at, exact, classes);
        if (differs(exact, end, at, exact)) text += lines_of(exact, end, classes);
        at = end;
    }
    return text;
}

}  // namespace echelon
