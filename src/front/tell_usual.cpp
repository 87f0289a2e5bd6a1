// SPDX-License-Identifier: Apache-2.0
#include "front/tell_usual.hpp"

#include "cache/packed_text.hpp"
#include "estimators/choice/foresee.hpp"
#include "front/choose.hpp"
#include "front/decide.hpp"
#include "front/tell.hpp"
#include "front/told_lines.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/clock.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace echelon {
namespace {

/// Calls of 8 bytes to 6 MB, with exact operations, of which the profile knows something: where its rules begin and end, then such of sizes
/// far apart.
std::vector<PlanKey> usual_calls(State& state) {
    constexpr unsigned least = UsualSizes::least_exponent, most = UsualSizes::most_exponent;
    std::vector<PlanKey> calls;
    const auto add_call = [&](Collective collective, Bytes bytes) {
        calls.push_back(any_call(collective));
        calls.back().count = bytes;
    };
    for (const auto& [collective, sizes] : state.classes().edges())
        for (const Bytes size : sizes) add_call(collective, size);
    const auto add = [&](Bytes bytes) {
        for (const Collective collective : all_collectives)
            if (state.machine().knows(collective)) add_call(collective, bytes);
    };
    for (unsigned distance = std::bit_floor(most); distance > 0; distance /= 2)
        for (unsigned exponent = distance; exponent <= most; exponent += 2 * distance) {
            if (exponent < least) continue;
            add(UsualSizes::power(exponent));
            add(UsualSizes::between(exponent));
        }
    return calls;
}

/// What rank 0 says of such a call; nullopt: nothing.
std::optional<ToldChoice> decision(State& state, const PlanKey& key, bool asked) {
    if (known_choice(state, key) || !(asked || may_decide_early(state, key))) return std::nullopt;
    ToldChoice found = opinion(state, key);
    // More than native beside it would need more to be made by calls that wait for nobody.
    if (!key.synchronises(state.size()) && found.arms.size() > 2) found.arms.resize(2);
    return found;
}

/// Of those, as far as there is time for it.
std::string decisions(State& state, bool asked) {
    // Little beside what MPI_Init takes on so many ranks.
    constexpr Seconds most = 0.1;
    const Seconds began = now();
    std::vector<Told> found;
    for (const PlanKey& key : usual_calls(state)) {
        if (now() - began > most) break;
        for (const bool exact : {true, false}) {
            if (!exact && !reduces(key.collective)) continue;
            PlanKey own = key;
            own.exact = exact;
            if (auto told = decision(state, own, asked)) found.push_back({own, std::move(told)});
        }
    }
    return lines_of(std::move(found), state.classes());
}

/// By the number of bits of a call's size in bytes: where the first calls would ask rank 0 in vain.
std::uint64_t widths_without_answer(State& state, Collective collective) {
    constexpr unsigned most = 28;
    std::uint64_t widths = 0;
    PlanKey key = any_call(collective);
    for (unsigned width = 0; width <= most; ++width) {
        key.count = (std::size_t(1) << width) / 2;
        if (!may_gain_at_once(state, key)) widths |= std::uint64_t(1) << width;
    }
    return widths;
}

/// What it says of all collectives.
std::string without_answer(State& state) {
    std::string numbers;
    for (const Collective collective : all_collectives)
        numbers +=
            std::to_string(state.machine().knows(collective) ? widths_without_answer(state, collective) : 0) +
            ' ';
    return numbers;
}

ToldTable read(const std::string& packed) {
    ToldTable table;
    std::istringstream lines(PackedText::of(packed).text());
    for (const Collective collective : all_collectives) {
        std::uint64_t widths = 0;
        lines >> widths;
        table.set_without_answer(collective, widths);
    }
    lines >> std::ws;
    for (std::string line; std::getline(lines, line);) {
        Told told = from_line(line);
        table.tell(told.key, told.until, std::move(*told.decision));
    }
    return table;
}

/// What rank 0 tells: a way for messages, where there is none and some of the calls wait for one, else -1; then the table, which other
/// communicators have in common.
std::string told_by_0(State& state, bool asked) {
    ToldTables& tables = state.process().told_tables();
    const std::string packed = tables.written(state.machine().advisor()->shared_decider(), [&] {
        const std::string decided = decisions(state, asked);
        return PackedText(without_answer(state) + decided).bytes();
    });
    const auto table = tables.read(packed, read);
    const bool waits = std::ranges::any_of(table->rows(), [&](const auto& one) {
        const ToldTable::Row& row = one.second;
        return waits_for_route(state, row.told, row.key.collective);
    });
    return std::to_string(waits ? take_route(state) : -1) + '\n' + packed;
}

}  // namespace

void tell_usual_calls(State& state, bool asked) {
    (void)state.own().placement(true, true);
    state.meetings().hold(0);
    const std::string told = broadcast(state.rank() == 0 ? told_by_0(state, asked) : "", state.user());
    const std::size_t end_of_route = told.find('\n');
    const auto table = state.process().told_tables().read(told.substr(end_of_route + 1), read);
    state.told().tell(table);
    follow(state, std::stoi(told.substr(0, end_of_route)));
    for (const auto& [calls, row] : table->rows()) {
        const Choice& choice = row.told.choice;
        // Communicators for native phases take as long as many calls. Who has asked for them by a rule has them from the first call on; else they
        // are made when such a call has come, and the next one that synchronises.
        const bool waits = choice.recipe.has_native_parts() && choice.source != Source::profile_rule;
        if (!waits && !row.key.synchronises(state.size()))
            state.own().provide(choice.recipe, row.key, OwnSide::Purpose::trial);
    }
}

}  // namespace echelon
