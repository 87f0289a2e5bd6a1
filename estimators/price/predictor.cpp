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
    const auto [known, is_new] = known_.try_emplace(asked(recipe, collective, bytes, operation));
    if (is_new) {
        const auto seconds = replayed(replay_, recipe, collective, bytes, operation);
        known->second = seconds ? std::optional(Prediction{*seconds, Word::whole})
                                : sum(recipe, collective, bytes, operation);
    }
    return known->second;
}

std::optional<Prediction> Predictor::sum(const Recipe& recipe, Collective collective, Bytes bytes,
                                         Operation operation) {
    const auto seconds = sums_(recipe, collective, bytes, operation);
    return seconds ? std::optional(Prediction{*seconds, Word::sum}) : std::nullopt;
}

std::optional<Seconds> Predictor::in_company(const Recipe& recipe, Collective collective, Bytes bytes,
                                             Operation operation) {
    if (!together_) return std::nullopt;
    std::size_t& messages = messages_together_[{collective, bytes}];
    if (messages > most_replayed_messages(together_->ranks())) return std::nullopt;
    const std::size_t before = together_->messages();
    const auto seconds = replayed(*together_, recipe, collective, bytes, operation);
    messages += together_->messages() - before;
    return seconds;
}

std::optional<Seconds> Predictor::in_a_row(const Recipe& recipe, Collective collective, Bytes bytes,
                                           Operation operation) {
    const bool quick = detail_ == Detail::quick;
    const std::size_t most =
        quick ? most_loaded_messages(replay_.ranks()) : most_replayed_messages(replay_.ranks());
    const auto [known, is_new] = rows_.try_emplace(asked(recipe, collective, bytes, operation));
    std::size_t& messages = messages_in_rows_[{collective, bytes}];
    if (!is_new || (quick && messages > most)) return known->second;
    const std::size_t before = replay_.messages();
    known->second = quick ? busiest_by_few_segments(replay_, recipe, collective, bytes, operation, most)
                          : mean_in_a_row(recipe, collective, bytes, operation, most);
    messages += replay_.messages() - before;
    return known->second;
}

std::optional<Seconds> Predictor::mean_in_a_row(const Recipe& recipe, Collective collective, Bytes bytes,
                                                Operation operation, std::size_t most) {
    const auto alone = whole(recipe, collective, bytes, operation);
    if (!alone || alone->word != Word::whole) return std::nullopt;
    // One more call with the same root, and one with another.
    const int p = replay_.ranks();
    const std::array roots{0, 0, CallRow::root(CallRow::calls / 2 + 1, p)};
    const auto row = replay_.row(recipe, collective, bytes, operation, roots, most);
    const auto further = row ? std::optional((*row - alone->seconds) / double(roots.size() - 1))
                             : busiest_by_few_segments(replay_, recipe, collective, bytes, operation, most);
    if (!further) return std::nullopt;
    return (alone->seconds + (CallRow::calls - 1) * *further) / CallRow::calls;
}

std::optional<Seconds> Predictor::replayed(Replay& replay, const Recipe& recipe, Collective collective,
                                           Bytes bytes, Operation operation) {
    const std::size_t most = most_replayed_messages(replay.ranks());
    const auto by_segments = by_few_segments(replay, recipe, collective, bytes, operation, most);
    return by_segments ? by_segments : replay(recipe, collective, bytes, operation, most);
}

}  // namespace echelon
