// SPDX-License-Identifier: Apache-2.0
#include "estimators/price/predictor.hpp"

#include "flat/catalog.hpp"
#include "hier/meaning.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// The longest segment that a row of the recipe cuts into; 0: none does.
Bytes longest_segment(const Recipe& recipe, Collective collective) {
    Bytes longest = 0;
    for (const Recipe& part : recipe.parts) longest = std::max(longest, longest_segment(part, collective));
    if (recipe.segment) return std::max(longest, *recipe.segment);
    if (recipe.kind != Recipe::Kind::flat) return longest;
    const Algorithm* const row = meaning_of(recipe.name, collective).first;
    return row != nullptr && row->takes_segment ? row->default_segment : 0;
}

}  // namespace

std::optional<Seconds> Predictor::of_fewer_segments(const Recipe& recipe, Collective collective, Bytes bytes,
                                                    Operation operation) {
    // From a few on, each takes as long as the one before.
    constexpr Bytes some = 4;
    constexpr double mostly = 1.6;
    struct Replayed {
        Bytes bytes;
        std::optional<Seconds> seconds;
        Seconds busiest;
        std::size_t messages;
        /// Of the whole, were it all segments.
        bool is_long(Bytes whole) const {
            return double(messages) * double(whole) > double(most_replayed_messages) * double(bytes);
        }
    };
    const auto replayed = [&](Bytes part) -> Replayed {
        const std::size_t before = replay_.messages();
        const auto seconds = replay_(recipe, collective, part, operation, most_replayed_messages);
        return {part, seconds, seconds ? replay_.busiest() : 0, replay_.messages() - before};
    };
    const Bytes first = some * longest_segment(recipe, collective);
    if (first == 0 || 2 * first >= bytes) return std::nullopt;
    Replayed few = replayed(first);
    if (!few.seconds || !few.is_long(bytes)) return std::nullopt;
    for (;;) {
        const Replayed more = replayed(2 * few.bytes);
        // Else it is not segments that make it long.
        if (!more.seconds || double(more.messages) < mostly * double(few.messages)) return std::nullopt;
        if (4 * more.messages > most_replayed_messages || 2 * more.bytes >= bytes) {
            // Of so few that the last ones need not be typical, each may keep the busiest as long as they did in the mean.
            const Seconds busy = more.bytes < 4 * first ? more.busiest / 2 : more.busiest - few.busiest,
                          later = std::max(*more.seconds - *few.seconds, busy);
            return *more.seconds + later * double(bytes - more.bytes) / double(few.bytes);
        }
        few = more;
    }
}

std::optional<Prediction> Predictor::whole(const Recipe& recipe, Collective collective, Bytes bytes,
                                           Operation operation) {
    if (detail_ == Detail::quick || recipe.has_native_parts())
        return sum(recipe, collective, bytes, operation);
    const auto [known, is_new] =
        known_.try_emplace({collective, bytes, operation.in_order, operation.exact, to_string(recipe)});
    if (is_new) {
        auto replayed = of_fewer_segments(recipe, collective, bytes, operation);
        if (!replayed) replayed = replay_(recipe, collective, bytes, operation, most_replayed_messages);
        known->second = replayed ? std::optional(Prediction{*replayed, Word::whole})
                                 : sum(recipe, collective, bytes, operation);
    }
    return known->second;
}

std::optional<Prediction> Predictor::sum(const Recipe& recipe, Collective collective, Bytes bytes,
                                         Operation operation) {
    const auto seconds = sums_(recipe, collective, bytes, operation);
    return seconds ? std::optional(Prediction{*seconds, Word::sum}) : std::nullopt;
}

}  // namespace echelon
