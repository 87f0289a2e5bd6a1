// SPDX-License-Identifier: Apache-2.0
#include "tuner/tell_common_sizes.hpp"

#include "estimators/choice/precompute.hpp"
#include "estimators/profile/packed_text.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/clock.hpp"
#include "tuner/choose.hpp"
#include "tuner/decide.hpp"
#include "tuner/decision_lines.hpp"
#include "tuner/tell.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace echelon {
namespace {

/// Calls of 8 bytes to 6 MB with exact operations, as far as the profile knows the collective: first the
/// edges of its rules, then sizes far apart, then sizes between them.
std::vector<PlanKey> common_calls(Tuner& tuner) {
    constexpr unsigned least = UsualSizes::least_exponent, most = UsualSizes::most_exponent;
    std::vector<PlanKey> calls;
    const auto add_call = [&](Collective collective, Bytes bytes) {
        calls.push_back(any_call(collective));
        calls.back().count = bytes;
    };
    for (const auto& [collective, sizes] : tuner.classes().edges())
        for (const Bytes size : sizes) add_call(collective, size);
    const auto add = [&](Bytes bytes) {
        for (const Collective collective : all_collectives)
            if (tuner.machine().knows(collective)) add_call(collective, bytes);
    };
    for (unsigned distance = std::bit_floor(most); distance > 0; distance /= 2)
        for (unsigned exponent = distance; exponent <= most; exponent += 2 * distance) {
            if (exponent < least) continue;
            add(UsualSizes::power(exponent));
            add(UsualSizes::between(exponent));
        }
    return calls;
}

/// Rank 0's decision for a call; nullopt: none.
std::optional<CallDecision> decision(Tuner& tuner, const PlanKey& key, bool asked) {
    if (known_choice(tuner, key) || !(asked || may_decide_early(tuner, key))) return std::nullopt;
    CallDecision found = decide_or_native(tuner, key);
    // Calls that do not synchronise would have to create more for more arms.
    if (!key.synchronises(tuner.size()) && found.arms.size() > 2) found.arms.resize(2);
    return found;
}

/// Lines with the decisions for common sizes, as far as there is time.
std::string decisions(Tuner& tuner, bool asked) {
    // A small part of MPI_Init on many ranks.
    constexpr Seconds most = 0.1;
    const Seconds began = now();
    std::vector<DecisionMessage> found;
    for (const PlanKey& key : common_calls(tuner)) {
        if (now() - began > most) break;
        for (const bool exact : {true, false}) {
            if (!exact && !reduces(key.collective)) continue;
            PlanKey own = key;
            own.exact = exact;
            if (auto decided = decision(tuner, own, asked)) found.push_back({own, std::move(decided)});
        }
    }
    return lines_of(std::move(found), tuner.classes());
}

/// The bit widths of the sizes whose first calls would ask rank 0 in vain.
std::uint64_t undecided_widths(Tuner& tuner, Collective collective) {
    constexpr unsigned most = 28;
    std::uint64_t widths = 0;
    PlanKey key = any_call(collective);
    for (unsigned width = 0; width <= most; ++width) {
        key.count = (std::size_t(1) << width) / 2;
        if (!may_gain_at_once(tuner, key)) widths |= std::uint64_t(1) << width;
    }
    return widths;
}

/// The widths of all collectives.
std::string text_of_undecided_widths(Tuner& tuner) {
    std::string numbers;
    for (const Collective collective : all_collectives)
        numbers +=
            std::to_string(tuner.machine().knows(collective) ? undecided_widths(tuner, collective) : 0) + ' ';
    return numbers;
}

DecisionTable read(const std::string& packed) {
    DecisionTable table;
    std::istringstream lines(PackedText::of(packed).text());
    for (const Collective collective : all_collectives) {
        std::uint64_t widths = 0;
        lines >> widths;
        table.set_undecided(collective, widths);
    }
    lines >> std::ws;
    for (std::string line; std::getline(lines, line);) {
        DecisionMessage message = from_line(line);
        table.add(message.key, message.until, std::move(*message.decision));
    }
    return table;
}

/// Rank 0's message: a new route if a recipe waits for one, else -1; then the packed table, which similar
/// communicators share.
std::string text_of_rank_0(Tuner& tuner, bool asked) {
    DecisionTables& tables = tuner.shared().decision_tables();
    const std::string packed = tables.written(tuner.machine().advisor()->shared_decider(), [&] {
        const std::string decided = decisions(tuner, asked);
        return PackedText(text_of_undecided_widths(tuner) + decided).bytes();
    });
    const auto table = tables.read(packed, read);
    const bool waits = std::ranges::any_of(table->rows(), [&](const auto& one) {
        const DecisionTable::Row& row = one.second;
        return waits_for_route(tuner, row.decision, row.key.collective);
    });
    return std::to_string(waits ? take_route(tuner) : -1) + '\n' + packed;
}

}  // namespace

void tell_common_sizes(Tuner& tuner, bool asked) {
    (void)tuner.own().placement(true, true);
    tuner.state().meetings().hold(0);
    const std::string text = broadcast(tuner.rank() == 0 ? text_of_rank_0(tuner, asked) : "", tuner.user());
    const std::size_t end_of_route = text.find('\n');
    const auto table = tuner.shared().decision_tables().read(text.substr(end_of_route + 1), read);
    tuner.decisions().add(table);
    use_route(tuner, std::stoi(text.substr(0, end_of_route)));
    for (const auto& [calls, row] : table->rows()) {
        const Choice& choice = row.decision.choice;
        // Communicators for native phases take as long as many calls. A rule that asks for them has them from
        // the first call on. Otherwise they are made after a call has asked for them, in the next
        // synchronising call.
        const bool waits = choice.recipe.has_native_parts() && choice.source != Source::profile_rule;
        if (!waits && !row.key.synchronises(tuner.size()))
            tuner.own().provide(choice.recipe, row.key, PrivateCommunicator::Purpose::trial);
    }
}

}  // namespace echelon
