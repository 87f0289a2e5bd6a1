// SPDX-License-Identifier: Apache-2.0
#include "estimators/replay_first.hpp"

#include "hier/shapes.hpp"

#include <algorithm>
#include <bit>

namespace echelon {
namespace {

/// The first so many candidates are replayed as a whole, until all together have had so many messages, then
/// the best one's segments, as long; the others go by the sum of their phases.
constexpr std::size_t replayed = 6;
/// Shorter segments are not sought that way: they hang on what each message costs beside its bytes, which a
/// machine's parameters know too little of, and a replay has them all overlap.
constexpr Bytes least_segment = Bytes(64) << 10;
/// Where that sum is so much longer than the best replay, it would have to be very wrong.
constexpr double far = 1.5;

}  // namespace

void replay_first(std::vector<Priced>& priced, Collective collective, Bytes bytes, const Replay& replay,
                  const std::function<std::optional<Seconds>(const Recipe&)>& predicted) {
    if (priced.empty()) return;
    std::size_t before = replay.messages(), best = 0;
    const auto spent = [&] { return replay.messages() - before > most_replayed_messages; };
    Seconds least = unlimited;
    for (std::size_t i = 0; i < std::min(priced.size(), replayed); ++i) {
        Priced& one = priced[i];
        if (one.seconds > far * least || spent()) break;
        one.seconds = predicted(one.recipe).value_or(one.seconds);
        if (one.seconds < least) least = one.seconds, best = i;
    }
    // A sum of phases does not know how those of one segment overlap with those of the next.
    const ShapeRow* const shape = find_shape(priced[best].recipe.kind, collective);
    if (shape == nullptr || !shape->takes_segment()) return;
    before = replay.messages();
    for (std::size_t center = priced.size(); center != best;) {
        center = best;
        const Bytes now = priced[center].recipe.segment.value_or(bytes);
        for (const Bytes segment : {std::bit_floor(now / 2), 2 * now}) {
            Priced other{priced[center].recipe};
            other.recipe.segment = segment < bytes ? std::optional(segment) : std::nullopt;
            const auto is_known = [&](const Priced& one) { return one.recipe == other.recipe; };
            if (segment < least_segment || spent() || std::any_of(priced.begin(), priced.end(), is_known))
                continue;
            const auto seconds = predicted(other.recipe);
            if (!seconds) continue;
            other.seconds = *seconds;
            priced.push_back(std::move(other));
            if (*seconds < least) least = *seconds, best = priced.size() - 1;
        }
    }
}

}  // namespace echelon
