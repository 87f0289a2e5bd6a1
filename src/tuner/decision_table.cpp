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

void put(std::string& text, const Agenda& agenda) {
    put_number(text, std::uint64_t(agenda.rounds));
    put_number(text, agenda.incumbent);
    if (agenda.empty()) return;
    for (const std::uint64_t number :
         {std::uint64_t(agenda.challenger), std::uint64_t(agenda.serving), std::uint64_t(agenda.wait),
          std::uint64_t(agenda.warm), std::uint64_t(agenda.block), std::uint64_t(agenda.mirrored),
          std::uint64_t(agenda.settled)})
        put_number(text, number);
}

Agenda take_agenda(std::string_view& text) {
    Agenda agenda;
    agenda.rounds = long(take_number(text));
    agenda.incumbent = take_number(text);
    if (agenda.empty()) return agenda;
    agenda.challenger = take_number(text);
    agenda.serving = take_number(text);
    agenda.wait = long(take_number(text));
    agenda.warm = long(take_number(text));
    agenda.block = long(take_number(text));
    agenda.mirrored = take_number(text) != 0;
    agenda.settled = take_number(text) != 0;
    return agenda;
}

void put(std::string& text, const Row& row) {
    const PlanKey& key = row.key;
    put_number(text, std::uint64_t(key.collective) << 4 | std::uint64_t(key.own_lengths()) << 3 |
                         std::uint64_t(row.found) << 2 | std::uint64_t(key.in_order) << 1 |
                         std::uint64_t(key.exact));
    for (const std::uint64_t number : {key.element_size, key.count, row.until, std::size_t(row.later)})
        put_number(text, number);
    if (row.later > 0) return;
    put_number(text, std::uint64_t(row.choice.source));
    put_word(text, to_string(row.choice.recipe));
    put_word(text, row.choice.refusal);
    put_double(text, row.choice.evidence.native);
    put_double(text, row.choice.evidence.ours);
    put_number(text, row.arms.size());
    for (const Recipe& arm : row.arms) put_word(text, to_string(arm));
    put(text, row.agenda);
}

Row take_row(std::string_view& text) {
    Row row;
    const std::uint64_t head = take_number(text);
    row.key = call_of(Collective(head >> 4));
    if ((head & 8) != 0) row.key.lengths = BlockLengths::own;
    row.found = (head & 4) != 0;
    row.key.in_order = (head & 2) != 0;
    row.key.exact = (head & 1) != 0;
    row.key.element_size = take_number(text);
    row.key.count = take_number(text);
    row.until = take_number(text);
    row.later = long(take_number(text));
    if (row.later > 0) return row;
    row.choice.source = Source(take_number(text));
    row.choice.recipe = Recipe::parse(take_word(text));
    row.choice.refusal = take_word(text);
    row.choice.evidence.native = take_double(text);
    row.choice.evidence.ours = take_double(text);
    const std::uint64_t arms = take_number(text);
    for (std::uint64_t i = 0; i < arms; ++i) row.arms.push_back(Recipe::parse(take_word(text)));
    row.agenda = take_agenda(text);
    return row;
}

}  // namespace

std::string to_bytes(const std::vector<Row>& rows) {
    std::string text;
    put_number(text, rows.size());
    for (const Row& row : rows) put(text, row);
    return text;
}

std::vector<Row> rows_of(std::string_view bytes) {
    std::vector<Row> rows;
    for (std::uint64_t left = take_number(bytes); left > 0; --left) rows.push_back(take_row(bytes));
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
    const auto holds = [&](const Row& row, bool exact) {
        return row.key.collective == key.collective && row.key.in_order == key.in_order &&
               row.key.exact == exact && row.key.bytes() <= bytes && bytes < row.until &&
               classes_.of(row.key).part == calls.part;
    };
    const auto find = [&](bool exact) -> const Row* {
        const auto found = std::ranges::find_if(*told_, [&](const Row& row) { return holds(row, exact); });
        return found == told_->end() ? nullptr : &*found;
    };
    const Row* const row = find(key.exact);
    // Rows of rounding operations also hold for exact ones.
    return row != nullptr || !key.exact ? row : find(false);
}

void DecisionTable::clear(bool findings) {
    if (findings) told_.reset();
    std::erase_if(by_class_, [&](const auto& one) { return findings || !one.second.found; });
    for (auto& [calls, row] : by_class_) row.agenda = {}, row.arms.clear();
}

std::vector<Row> merged(const std::vector<Row>& rows, const CallClasses& classes) {
    std::vector<Row> all;
    const auto is_native = [](const Row& row) { return row.choice.recipe.kind == Recipe::Kind::native; };
    for (auto one = rows.begin(); one != rows.end();) {
        Row made = *one;
        made.until = 2 * made.key.bytes();
        for (++one; one != rows.end() && one->key.bytes() <= made.until; ++one) {
            const bool goes_on = one->choice.recipe == made.choice.recipe &&
                                 one->choice.source == made.choice.source &&
                                 classes.of(one->key).part == classes.of(made.key).part;
            made.until = goes_on ? 2 * one->key.bytes() : one->key.bytes();
            if (!goes_on) break;
        }
        if (!is_native(made)) all.push_back(std::move(made));
    }
    return all;
}

}  // namespace echelon
