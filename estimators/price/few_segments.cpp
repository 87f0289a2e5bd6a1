// SPDX-License-Identifier: Apache-2.0
#include "estimators/price/few_segments.hpp"

#include "flat/catalog.hpp"
#include "hier/meaning.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// The longest segment into which a row of the recipe cuts the vector; 0 if no row does.
Bytes longest_segment(const Recipe& recipe, Collective collective) {
    Bytes longest = 0;
    for (const Recipe& part : recipe.parts) longest = std::max(longest, longest_segment(part, collective));
    if (recipe.segment) return std::max(longest, *recipe.segment);
    if (recipe.kind != Recipe::Kind::flat) return longest;
    const Algorithm* const row = meaning_of(recipe.name, collective).first;
    return row != nullptr && row->takes_segment ? row->default_segment : 0;
}

/// A replayed part of the vector.
struct Part {
    Bytes bytes;
    std::optional<Seconds> seconds = {};
    Seconds busiest = 0;
    std::size_t messages = 0;
    /// True if the whole vector, made of parts like this one, takes more than `most` messages.
    bool is_long(Bytes whole, std::size_t most) const {
        return double(messages) * double(whole) > double(most) * double(bytes);
    }
};

}  // namespace

std::optional<Seconds> by_few_segments(Replay& replay, const Recipe& recipe, Collective collective,
                                       Bytes bytes, Operation operation, std::size_t most) {
    // Number of segments after which each takes as long as the one before.
    constexpr Bytes some = 4;
    constexpr double mostly = 1.6;
    const auto replayed = [&](Bytes length) {
        Part made{.bytes = length};
        const std::size_t before = replay.messages();
        made.seconds = replay(recipe, collective, length, operation, most, &made.busiest);
        made.messages = replay.messages() - before;
        return made;
    };
    const Bytes first = some * longest_segment(recipe, collective);
    if (first == 0 || 2 * first >= bytes) return std::nullopt;
    Part few = replayed(first);
    if (!few.seconds || !few.is_long(bytes, most)) return std::nullopt;
    for (;;) {
        const Part more = replayed(2 * few.bytes);
        // Segments are not the cause of the length.
        if (!more.seconds || double(more.messages) < mostly * double(few.messages)) return std::nullopt;
        if (4 * more.messages > most || 2 * more.bytes >= bytes) {
            // With few segments the last ones may not be typical: each counts for at least the mean time of
            // the busiest resource.
            const Seconds busy = more.bytes < 4 * first ? more.busiest / 2 : more.busiest - few.busiest,
                          later = std::max(*more.seconds - *few.seconds, busy);
            return *more.seconds + later * double(bytes - more.bytes) / double(few.bytes);
        }
        few = more;
    }
}

std::optional<Seconds> busiest_by_few_segments(Replay& replay, const Recipe& recipe, Collective collective,
                                               Bytes bytes, Operation operation, std::size_t most) {
    constexpr Bytes some = 2;
    const Bytes first = some * longest_segment(recipe, collective);
    if (first == 0 || 2 * first >= bytes) return replay.busiest(recipe, collective, bytes, operation, most);
    const auto few = replay.busiest(recipe, collective, first, operation, most),
               more = replay.busiest(recipe, collective, 2 * first, operation, most);
    if (!few || !more) return std::nullopt;
    return *more + (*more - *few) * double(bytes - 2 * first) / double(first);
}

}  // namespace echelon
