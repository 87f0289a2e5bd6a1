// SPDX-License-Identifier: Apache-2.0
#include "tuner/decision_table.hpp"

#include "core/error.hpp"
#include "core/wire.hpp"
#include "estimators/choice/decide.hpp"
#include "hier/lengths.hpp"

#include <algorithm>

namespace echelon {

PlanKey call_of(Collective collective, Bytes bytes) {
    return {.collective = collective,
            .in_order = false,
            .exact = true,
            .root = 0,
            .element_size = 1,
            .count = bytes};
}

namespace {

// Each kind of part is written to a string, or read from a string_view.
void part(std::string& text, const std::string& word) { put_word(text, word); }
void part(std::string_view& text, std::string& word) { word = take_word(text); }
void part(std::string& text, const Recipe& recipe) { put_word(text, to_string(recipe)); }
void part(std::string_view& text, Recipe& recipe) { recipe = Recipe::parse(take_word(text)); }
void part(std::string& text, const double& number) { put_double(text, number); }
void part(std::string_view& text, double& number) { number = take_double(text); }
template <class Number>
void part(std::string& text, const Number& number) {
    put_number(text, std::uint64_t(number));
}
template <class Number>
void part(std::string_view& text, Number& number) {
    number = Number(take_number(text));
}
void part(std::string& text, const std::vector<Recipe>& list) {
    put_number(text, list.size());
    for (const Recipe& one : list) part(text, one);
}
void part(std::string_view& text, std::vector<Recipe>& list) {
    for (std::uint64_t left = take_number(text); left > 0; --left) part(text, list.emplace_back());
}

/// The parts of a row, for both directions.
template <class Text, class AnyRow>
void parts(Text& text, AnyRow& row) {
    const auto all = [&](auto&... some) { (part(text, some), ...); };
    auto& [key, until, later, choice, arms, agenda] = row;
    all(key.collective, key.lengths, key.in_order, key.exact, key.element_size, key.count, until, later);
    if (later > 0) return;
    all(choice.source, choice.recipe, choice.refusal, choice.evidence.native, choice.evidence.ours, arms,
        agenda.incumbent, agenda.rounds);
    if (agenda.empty()) return;
    all(agenda.challenger, agenda.serving, agenda.wait, agenda.warm, agenda.block, agenda.mirrored,
        agenda.settled);
}

}  // namespace

std::string to_bytes(const std::vector<Row>& rows) {
    std::string text;
    put_number(text, rows.size());
    for (const Row& row : rows) parts(text, row);
    return text;
}

std::vector<Row> rows_of(std::string_view bytes) {
    std::vector<Row> rows;
    for (std::uint64_t left = take_number(bytes); left > 0; --left) parts(bytes, rows.emplace_back());
    if (!bytes.empty()) throw Error("a message of decisions is too long");
    return rows;
}

const Requested* DecisionTable::find_requested(const PlanKey& key) const {
    const auto found = std::ranges::find_if(requested_, [&](const Requested& one) {
        if (one.collective != key.collective || (one.inexact_only && key.exact)) return false;
        if (!key.own_lengths()) return one.sizes.contains(key.bytes());
        return one.sizes == ByteRange{} && (one.choice.recipe.kind == Recipe::Kind::native ||
                                            serves_own_blocks(one.choice.recipe, key.collective));
    });
    return found == requested_.end() ? nullptr : &*found;
}

const Row* DecisionTable::find(const PlanKey& key) const {
    const CallClass calls = classes_.of(key);
    if (const auto found = by_class_.find(calls); found != by_class_.end()) return &found->second;
    if (told_ == nullptr || key.own_lengths()) return nullptr;
    // All sizes of the least class share one place, and a row ends at the edges of the profile's rules.
    const Bytes bytes = std::max(key.bytes(), calls.size);
    const Row* rounding = nullptr;
    for (const Row& row : *told_) {
        if (row.key.collective != key.collective || row.key.in_order != key.in_order ||
            bytes < row.key.bytes() || bytes >= row.until || classes_.of(row.key).part != calls.part)
            continue;
        if (row.key.exact == key.exact) return &row;
        if (key.exact && rounding == nullptr) rounding = &row;
    }
    return rounding;  // it also holds for exact operations
}

void DecisionTable::clear(bool findings) {
    if (findings) told_.reset();
    std::erase_if(by_class_, [&](const auto& one) { return findings || !one.second.found(); });
    for (auto& [calls, row] : by_class_) row.agenda = {}, row.arms.clear();
}

std::vector<Row> merged(const std::vector<Row>& rows, const CallClasses& classes) {
    std::vector<Row> all;
    for (const Row& row : rows) {
        const Bytes bytes = row.key.bytes();
        Row* const last = all.empty() ? nullptr : &all.back();
        const bool follows = last != nullptr && last->key.collective == row.key.collective &&
                             last->key.exact == row.key.exact && bytes <= last->until;
        const bool goes_on = follows && last->choice.recipe == row.choice.recipe &&
                             last->choice.source == row.choice.source &&
                             classes.of(last->key).part == classes.of(row.key).part;
        if (follows) last->until = goes_on ? 2 * bytes : bytes;
        if (!goes_on) all.emplace_back(row).until = 2 * bytes;
    }
    std::erase_if(all, [](const Row& row) { return row.choice.recipe.kind == Recipe::Kind::native; });
    return all;
}

}  // namespace echelon
