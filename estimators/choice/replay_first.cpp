// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/replay_first.hpp"

#include "hier/meaning.hpp"
#include "hier/shapes.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace echelon {
namespace {

/// Number of further replays if replays moved other candidates to the front.
constexpr std::size_t further = 3;
/// Shorter segments are not searched: their time depends on the cost per message beside its bytes. A
/// machine's parameters describe it poorly, and a replay lets all segments overlap.
constexpr Bytes least_searched = Bytes(64) << 10;
/// A candidate whose sum exceeds the best time by this factor is not replayed.
constexpr double far = 1.5;

}  // namespace

void replay_first(std::vector<Candidate>& list, Collective collective, Bytes bytes, const Predictor& model,
                  Effort effort, const std::function<Candidate(const Recipe&)>& judged) {
    std::size_t before = model.messages();
    const auto spent = [&] { return model.messages() - before > effort.messages; };
    const auto sooner = [](const Candidate& a, const Candidate& b) { return a.at_worst() < b.at_worst(); };
    const auto first = [&] { return std::min_element(list.begin(), list.end(), sooner); };
    const auto replay = [&](Candidate& one) {
        const bool was_known = one.is_known;
        one = judged(one.recipe);
        one.is_known = was_known;
    };
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (!list[i].is_final) open.push_back(i);
    if (open.empty()) return;
    std::stable_sort(open.begin(), open.end(),
                     [&](std::size_t a, std::size_t b) { return sooner(list[a], list[b]); });
    if (open.size() > effort.candidates) open.resize(effort.candidates);
    for (const std::size_t i : open) {
        if (list[i].at_worst() > far * first()->at_worst() || spent()) break;
        replay(list[i]);
    }
    for (std::size_t more = 0; more < further && !first()->is_final && !spent(); ++more) replay(*first());

    // A sum of phases ignores that the phases of successive segments overlap.
    before = model.messages();
    for (std::string center; center != to_string(first()->recipe);) {
        const Recipe best = first()->recipe;
        const ShapeRow* const shape = find_shape(best.kind, collective);
        if (shape == nullptr || !shape->takes_segment() || best.has_native_parts() ||
            goes_through_memory(best))
            return;
        center = to_string(best);
        const Bytes now = best.segment.value_or(bytes);
        for (const Bytes segment : {std::bit_floor(now / 2), 2 * now}) {
            Recipe other = best;
            other.segment = segment < bytes ? std::optional(segment) : std::nullopt;
            const auto is_same = [&](const Candidate& one) { return one.recipe == other; };
            if (segment < least_searched || spent() || std::any_of(list.begin(), list.end(), is_same))
                continue;
            Candidate made = judged(other);
            if (made.predicted > 0) list.push_back(std::move(made));
        }
    }
}

}  // namespace echelon
