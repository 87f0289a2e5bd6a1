// SPDX-License-Identifier: Apache-2.0
#include "tuner/tell_table.hpp"

#include "core/wire.hpp"
#include "estimators/choice/precompute.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/clock.hpp"
#include "tuner/decide.hpp"
#include "tuner/requests.hpp"
#include "tuner/when_to_decide.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace echelon {
namespace {

/// Calls of 8 bytes to 6 MB with exact operations, as far as the profile knows the collective: first the
/// edges of its rules, then sizes far apart, then sizes between them.
std::vector<PlanKey> common_calls(Tuner& tuner) {
    constexpr unsigned least = UsualSizes::least_exponent, most = UsualSizes::most_exponent;
    std::vector<PlanKey> calls;
    for (const auto& [collective, sizes] : tuner.classes().edges())
        for (const Bytes size : sizes) calls.push_back(call_of(collective, size));
    const auto add = [&](Bytes bytes) {
        for (const Collective collective : all_collectives)
            if (tuner.machine().knows(collective)) calls.push_back(call_of(collective, bytes));
    };
    for (unsigned distance = std::bit_floor(most); distance > 0; distance /= 2)
        for (unsigned exponent = distance; exponent <= most; exponent += 2 * distance) {
            if (exponent < least) continue;
            add(UsualSizes::power(exponent));
            add(UsualSizes::between(exponent));
        }
    return calls;
}

/// Rank 0's rows for common sizes, as far as there is time.
std::vector<Row> decisions(Tuner& tuner, bool asked) {
    const Seconds began = now();
    std::map<std::tuple<Collective, bool, Bytes>, Row> found;
    for (PlanKey key : common_calls(tuner)) {
        if (now() - began > rules.table) break;
        for (const bool exact : {true, false}) {
            if (!exact && !reduces(key.collective)) continue;
            key.exact = exact;
            if (known_choice(tuner, key)) continue;
            const Seconds most = asked ? unlimited : time_to_decide_early(tuner, key);
            if (const auto decision = most > 0 ? decide_within(tuner, key, most, false) : std::nullopt)
                found.insert_or_assign({key.collective, exact, key.bytes()},
                                       Row{.key = key, .choice = decision->choice});
        }
    }
    std::vector<Row> rows;
    for (const auto& [what, row] : found) rows.push_back(row);
    return merged(rows, tuner.classes());
}

}  // namespace

void tell_table(Tuner& tuner, bool asked) {
    (void)tuner.own().placement(true, true);
    tuner.state().meetings().hold(0);
    std::string text;
    if (tuner.rank() == 0) {
        const std::string bytes = tuner.shared().told_tables().written(
            asked ? nullptr : tuner.machine().advisor()->shared_decider(),
            [&] { return to_bytes(decisions(tuner, asked)); });
        const auto table = tuner.shared().told_tables().read(bytes);
        const bool waits = std::ranges::any_of(*table, [&](const Row& row) {
            return tuner.own().waits_for_told_route(row.choice.recipe, row.key.collective);
        });
        put_number(text, waits ? tuner.take_route() : 0);
        text += bytes;
    }
    text = broadcast(std::move(text), tuner.user());
    std::string_view rest = text;
    const std::uint64_t route = take_number(rest);
    const auto table = tuner.shared().told_tables().read(rest);
    tuner.table().set_told(table);
    tuner.use_route(route);
    for (const Row& row : *table)
        if (!row.key.synchronises(tuner.size()))
            tuner.own().provide(row.choice.recipe, row.key, PrivateCommunicator::Purpose::trial);
}

}  // namespace echelon
