// SPDX-License-Identifier: Apache-2.0
#include "front/tell_usual.hpp"

#include "estimators/choice/foresee.hpp"
#include "front/choose.hpp"
#include "front/decide.hpp"
#include "front/tell.hpp"
#include "front/told_lines.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/clock.hpp"

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
std::optional<ToldChoice> decision(State& state, const PlanKey& key) {
    if (known_choice(state, key) || !may_decide_early(state, key)) return std::nullopt;
    ToldChoice found = opinion(state, key);
    // More than native beside it would need more to be made by calls that wait for nobody.
    if (!key.synchronises(state.size()) && found.arms.size() > 2) found.arms.resize(2);
    return found;
}

/// Of those, as far as there is time for it.
std::string decisions(State& state) {
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
            if (auto told = decision(state, own)) found.push_back({own, std::move(told)});
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

ToldTable read(const std::string& text) {
    ToldTable table;
    std::istringstream lines(text);
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

}  // namespace

void tell_usual_calls(State& state) {
    (void)state.own().placement(true, true);
    state.meetings().hold(0);
    std::string text;
    if (state.rank() == 0)
        text = state.process().told_tables().written(state.machine().advisor()->shared_decider(), [&] {
            const std::string decided = decisions(state);
            return without_answer(state) + decided;
        });
    const auto table = state.process().told_tables().read(broadcast(std::move(text), state.user()), read);
    state.told().tell(table);
    for (const auto& [calls, row] : table->rows())
        if (!row.key.synchronises(state.size()))
            state.own().provide(row.told.choice.recipe, row.key, OwnSide::Purpose::trial);
}

}  // namespace echelon
