// SPDX-License-Identifier: Apache-2.0
#include "estimators/price/predictor.hpp"

#include "estimators/price/few_segments.hpp"
#include "estimators/profile/profile.hpp"

#include <array>

namespace echelon {

std::optional<Prediction> Predictor::whole(const Recipe& recipe, Collective collective, Bytes bytes,
                                           Operation operation) {
    if (detail_ == Detail::quick || recipe.has_native_parts())
        return sum(recipe, collective, bytes, operation);
    const Asked call = asked(recipe, collective, bytes, operation);
    if (const auto known = known_.find(call); known != known_.end()) return known->second;
    const auto seconds = replayed(replay_, recipe, collective, bytes, operation);
    return known_[call] = seconds ? std::optional(Prediction{*seconds, Word::whole})
                                  : sum(recipe, collective, bytes, operation);
}

std::optional<Prediction> Predictor::sum(const Recipe& recipe, Collective collective, Bytes bytes,
                                         Operation operation) {
    const auto seconds = sums_(recipe, collective, bytes, operation);
    return seconds ? std::optional(Prediction{*seconds, Word::sum}) : std::nullopt;
}

std::optional<Seconds> Predictor::in_a_row(const Recipe& recipe, Collective collective, Bytes bytes,
                                           Operation operation) {
    const bool quick = detail_ == Detail::quick;
    Replay& replay = together_ ? *together_ : replay_;
    const std::size_t most =
        quick ? most_loaded_messages(replay.ranks()) : most_replayed_messages(replay.ranks());
    const Asked call = asked(recipe, collective, bytes, operation);
    if (const auto known = rows_.find(call); known != rows_.end()) return known->second;
    std::size_t& messages = messages_in_rows_[{collective, bytes}];
    if ((quick || together_) && messages > most) return rows_[call];
    const std::size_t before = replay.messages();
    const auto mean = quick ? busiest_by_few_segments(replay, recipe, collective, bytes, operation, most)
                            : mean_in_a_row(replay, recipe, collective, bytes, operation, most);
    messages += replay.messages() - before;
    return rows_[call] = mean;
}

std::optional<Seconds> Predictor::mean_in_a_row(Replay& replay, const Recipe& recipe, Collective collective,
                                                Bytes bytes, Operation operation, std::size_t most) {
    const auto first = replayed(replay, recipe, collective, bytes, operation);
    if (!first || pattern(collective) == Pattern::to_all) return first;
    // One more call with the same root, and one with another.
    const int p = replay_.ranks();
    const std::array roots{0, 0, CallRow::root(CallRow::calls / 2 + 1, p)};
    const auto row = replay.row(recipe, collective, bytes, operation, roots, most);
    const auto further = row ? std::optional((*row - *first) / double(roots.size() - 1))
                             : busiest_by_few_segments(replay, recipe, collective, bytes, operation, most);
    if (!further) return std::nullopt;
    return (*first + (CallRow::calls - 1) * *further) / CallRow::calls;
}

std::optional<Seconds> Predictor::replayed(Replay& replay, const Recipe& recipe, Collective collective,
                                           Bytes bytes, Operation operation) {
    const std::size_t most = most_replayed_messages(replay.ranks());
    const auto by_segments = by_few_segments(replay, recipe, collective, bytes, operation, most);
    return by_segments ? by_segments : replay(recipe, collective, bytes, operation, most);
}

}  // namespace echelon
