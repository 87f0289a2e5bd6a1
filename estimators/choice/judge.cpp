// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/judge.hpp"

#include "core/error.hpp"
#include "estimators/choice/replay_first.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

namespace echelon {
namespace {

constexpr std::array<std::string_view, 5> bases{"advised", "measured", "interpolated", "corrected", "model"};

/// A recipe slower by this factor on the line between two measured sizes is slower by any model. The line is
/// off by half where a library switches its protocol between the sizes.
constexpr double behind = 2;

struct RecipeHash {
    std::size_t operator()(const Recipe* recipe) const { return hash_but_segments(*recipe); }
};
struct SameRecipe {
    bool operator()(const Recipe* a, const Recipe* b) const { return *a == *b; }
};

/// True if enough recipes were measured at this size, or at the sizes on both sides, to decide among them
/// alone. The other recipes are then removed from `near`: a calibration that left them out judged them
/// slower. A recipe that was the fastest at one of the sizes stays.
bool decides_alone(std::vector<const Recipe*>& near, KnownSamples& samples, Bytes bytes) {
    constexpr long enough = 8;
    const auto on_both_sides = [&](const Recipe* recipe) {
        return samples.measured(*recipe, bytes) != nullptr || samples.series(*recipe)->reaches(bytes);
    };
    if (std::ranges::count_if(near, on_both_sides) < enough) return false;
    std::erase_if(
        near, [&](const Recipe* recipe) { return !on_both_sides(recipe) && !samples.led(*recipe, bytes); });
    return true;
}

/// Least time of these recipes, measured at this size or interpolated from their series; unlimited if
/// unknown.
Seconds fastest(const std::vector<const Recipe*>& near, KnownSamples& samples, Bytes bytes) {
    Seconds least = unlimited;
    for (const Recipe* const recipe : near)
        if (const Sample* const here = samples.measured(*recipe, bytes))
            least = std::min(least, here->seconds);
        else if (const auto time = samples.series(*recipe)->between(bytes))
            least = std::min(least, time->value);
    return least;
}

}  // namespace

std::string_view name(Basis basis) { return bases[std::size_t(basis)]; }

Judge::Judge(std::shared_ptr<const Profile> profile, Placement placement, Detail detail,
             const Company* company)
    : profile_(std::move(profile)),
      placement_(std::move(placement)),
      layout_(layout_in(*profile_, placement_)),
      natives_(*profile_),
      model_(profile_->parameters ? profile_->parameters->machine : Machine(), placement_, &natives_, detail,
             company),
      factors_(*profile_, placement_) {}

std::string_view Judge::not_measured() const {
    return profile_->parameters
               ? echelon::not_measured(*profile_->parameters, placement_.size(), placement_.node_count())
               : "";
}

KnownSamples& Judge::known(Collective collective) {
    const auto found = known_.find(collective);
    if (found != known_.end()) return found->second;
    return known_.try_emplace(collective, *profile_, collective, placement_.size(), layout_).first->second;
}

Curve Judge::curve(Series& series, Collective collective, Bytes bytes, Word word) {
    Curve made;
    for (Series::Fastest* const one : {series.from(bytes), series.below(bytes)}) {
        if (one == nullptr) continue;
        const Sample& sample = *one->sample;
        double& share = word == Word::whole ? one->share_of_whole : one->share_of_sum;
        if (share == 0) {
            const auto model = predicted(sample.recipe, collective, sample.bytes, {}, word);
            share = model && model->seconds > 0 ? sample.seconds / model->seconds : sample.seconds;
        }
        made.add(sample.bytes, share, sample.spread);
    }
    return made;
}

std::optional<Prediction> Judge::predicted(const Recipe& recipe, Collective collective, Bytes bytes,
                                           Operation operation, Word word) {
    if (!profile_->parameters) return std::nullopt;
    return word == Word::whole ? model_.whole(recipe, collective, bytes, operation)
                               : model_.sum(recipe, collective, bytes, operation);
}

Candidate Judge::judged(const Recipe& recipe, std::optional<Prediction> model, Collective collective,
                        Bytes bytes, KnownSamples& known) {
    const Seconds predicted = model ? model->seconds : 0;
    const Word word = model ? model->word : Word::sum;
    double model_error = profile_->parameters ? profile_->parameters->residual : 1;
    if (profile_->parameters && placement_.node_count() == 1)
        model_error = std::max(model_error, profile_->parameters->inside_residual);
    // The library's behaviour on part of a communicator is inferred from other communicators.
    constexpr double least_of_native_parts = 0.4;
    if (recipe.has_native_parts()) model_error = std::max(model_error, least_of_native_parts);
    const bool in_the_dark = !not_measured().empty();
    if (in_the_dark) model_error = std::max(model_error, 1.0);
    Candidate made{.recipe = recipe,
                   .predicted = predicted,
                   .is_final = word == Word::whole || recipe.has_native_parts(),
                   .expected = predicted,
                   .error = model_error};
    if (const Sample* const sample = known.measured(recipe, bytes)) {
        made.expected = sample->seconds;
        made.error = sample->spread;
        made.basis = Basis::measured;
        made.is_final = true;
        return made;
    }
    if (Series* const series = known.series(recipe)) {
        // For native parts a line between two measured sizes is more precise than the model.
        const bool by_line = recipe.has_native_parts() && series->reaches(bytes),
                   of_times = !model || by_line;
        const Curve around = by_line ? series->times(bytes) : curve(*series, collective, bytes, word);
        if (!around.empty()) {
            const auto found = by_line ? around.on_line(bytes) : around.at(bytes);
            made.expected = of_times ? found.value : predicted * found.value;
            made.basis = Basis::interpolated;
            // Between its points a curve of times is less certain than a curve of ratios to the model: the
            // library may switch its protocol anywhere between them.
            made.error = found.spread + (found.inside && !of_times
                                             ? error_per_octave * found.distance
                                             : error_beyond_per_octave * std::max(found.distance, found.gap));
            // Another segment was measured at this size; the deviation may be due to that segment alone.
            if (found.distance == 0)
                made.error =
                    std::max(made.error, of_times ? error_beyond_per_octave : std::abs(found.value - 1));
            return made;
        }
    }
    const auto factor = factors_(collective, recipe, bytes, word);
    if (!factor) return made;
    made.expected *= factor->value;
    if (!factor->error) return made;
    made.basis = Basis::corrected;
    made.error = in_the_dark ? std::max(model_error, *factor->error) : std::min(model_error, *factor->error);
    return made;
}

std::optional<Candidate> Judge::native(Collective collective, Bytes bytes) {
    const KnownSamples& known = this->known(collective);
    const bool is_known = !known.native().empty();
    if (!is_known && !not_measured().empty()) return std::nullopt;
    const Extent extent{model_.contention().nodes(), model_.contention().touched(Level::site)};
    const auto time = is_known ? natives_.of(known.native(), extent, bytes)
                               : natives_(collective, placement_.size(), extent, bytes);
    if (!time) return std::nullopt;
    return Candidate{.recipe = {},
                     .expected = time->seconds,
                     .error = time->error,
                     .basis = !is_known                                ? Basis::corrected
                              : known.native().at(bytes).distance == 0 ? Basis::measured
                                                                       : Basis::interpolated,
                     .is_known = is_known};
}

std::optional<Candidate> Judge::native_replayed(Collective collective, Bytes bytes) {
    std::optional<Candidate> found = native(collective, bytes);
    if (!found || found->is_known || placement_.node_count() == 1) return found;
    const auto alike =
        natives_.likenesses()(collective, placement_.size(), placement_.node_count(), bytes, found->error,
                              [&](const Recipe& recipe) -> std::optional<Seconds> {
                                  const auto whole = predicted(recipe, collective, bytes, {}, Word::whole);
                                  return whole ? std::optional(whole->seconds) : std::nullopt;
                              });
    if (!alike) return found;
    found->expected = alike->seconds;
    found->error = alike->error;
    return found;
}

bool Judge::serves(const Recipe& recipe, Collective collective, Operation operation) const {
    try {
        (void)resolve(recipe, collective, placement_, 0, operation);
        return true;
    } catch (const Error&) {
        return false;
    }
}

std::optional<Candidate> Judge::candidate(const Recipe& recipe, Collective collective, Bytes bytes,
                                          Operation operation) {
    KnownSamples& samples = known(collective);
    const auto model = predicted(recipe, collective, bytes, operation, Word::whole);
    if (!model && samples.series(recipe) == nullptr) return std::nullopt;
    return judged(recipe, model, collective, bytes, samples);
}

Seconds Judge::fastest_measured(Collective collective, Bytes bytes) {
    KnownSamples& samples = known(collective);
    std::vector<const Recipe*> near = samples.near(bytes);
    const bool is_enough = decides_alone(near, samples, bytes) || !profile_->parameters;
    return is_enough ? fastest(near, samples, bytes) : 0;
}

/// A call whose candidates are requested, and the samples of its collective.
struct Judge::Asked {
    Collective collective;
    Bytes bytes;
    Operation operation;
    Width width;
    KnownSamples& samples;

    /// True for a decision, false for a calibration. A decision does not replay measured recipes.
    bool decides() const { return width <= Width::best; }
};

/// True unless the recipe has native parts and was not measured on both sides: the library's switches of
/// protocols and algorithms cannot be extrapolated.
bool Judge::is_certain(const Recipe& recipe, const Asked& asked) {
    return !recipe.has_native_parts() || asked.samples.series(recipe)->reaches(asked.bytes);
}

/// Candidates of the model. `near`: recipes measured around this size.
std::vector<Candidate> Judge::proposed(const Asked& asked, const std::vector<const Recipe*>& near) {
    const std::unordered_set<const Recipe*, RecipeHash, SameRecipe> measured(near.begin(), near.end());
    std::vector<Candidate> list;
    for (const Priced& one : echelon::candidates(model_.sums(), asked.collective, asked.bytes,
                                                 asked.operation, placement_, asked.width)) {
        const bool is_known = measured.contains(&one.recipe);
        if (asked.decides() && (is_known || asked.samples.compared(one.recipe, asked.bytes))) continue;
        list.push_back(judged(one.recipe, Prediction{one.seconds, Word::sum}, asked.collective, asked.bytes,
                              asked.samples));
        list.back().is_known = is_known && is_certain(one.recipe, asked);
    }
    return list;
}

/// Adds measured recipes, even if the model ranks them low.
void Judge::add_measured(std::vector<Candidate>& list, const Asked& asked,
                         const std::vector<const Recipe*>& near) {
    if (near.empty()) return;
    list.reserve(list.size() + near.size());  // `seen` points into the list
    std::unordered_set<const Recipe*, RecipeHash, SameRecipe> seen;
    for (const Candidate& one : list) seen.insert(&one.recipe);
    const Seconds least = fastest(near, asked.samples, asked.bytes);
    for (const Recipe* const recipe : near) {
        if (!seen.insert(recipe).second) continue;
        auto made = measured(*recipe, asked, least);
        if (!made) continue;
        made->is_known = is_certain(*recipe, asked);
        list.push_back(std::move(*made));
    }
}

/// A measured recipe. The model is consulted only if it may decide: the recipe was not measured at exactly
/// this size and is not far slower than `least`, the fastest between the sizes around. Returns nullopt if the
/// recipe cannot serve or its time is unknown here.
std::optional<Candidate> Judge::measured(const Recipe& recipe, const Asked& asked, Seconds least) {
    const Sample* const here = asked.samples.measured(recipe, asked.bytes);
    const auto between = asked.samples.series(recipe)->between(asked.bytes);
    if (asked.decides() && (here != nullptr || (between && between->value > behind * least))) {
        if (!serves(recipe, asked.collective, asked.operation)) return std::nullopt;
        Candidate made{.recipe = recipe, .is_final = true};
        made.expected = here != nullptr ? here->seconds : between->value;
        made.basis = here != nullptr ? Basis::measured : Basis::interpolated;
        made.error =
            here != nullptr ? here->spread : between->spread + between->distance * error_beyond_per_octave;
        return made;
    }
    const auto model = predicted(recipe, asked.collective, asked.bytes, asked.operation, Word::sum);
    // Native parts without a price cannot be extrapolated beyond the measured sizes.
    if (profile_->parameters && !model &&
        (!asked.samples.series(recipe)->reaches(asked.bytes) ||
         !serves(recipe, asked.collective, asked.operation)))
        return std::nullopt;
    Candidate made = judged(recipe, model, asked.collective, asked.bytes, asked.samples);
    if (!model) made.is_final = true;
    return made;
}

std::vector<Candidate> Judge::candidates(Collective collective, Bytes bytes, Operation operation,
                                         Width width) {
    KnownSamples& samples = known(collective);
    const Asked asked{collective, bytes, operation, width, samples};
    std::vector<const Recipe*> near = samples.near(bytes);
    std::vector<Candidate> list;
    if (profile_->parameters)
        list = proposed(asked, near);
    else if (asked.decides())
        (void)decides_alone(near, samples, bytes);
    add_measured(list, asked, near);
    // A calibration measures its candidates, which takes far longer than a replay.
    const std::size_t most = most_replayed_messages(placement_.size());
    const Effort quick{6, most}, thorough{32, 10 * most};
    if (width != Width::few)
        replay_first(
            list, collective, bytes, model_, asked.decides() ? quick : thorough, [&](const Recipe& recipe) {
                Candidate made = judged(recipe, predicted(recipe, collective, bytes, operation, Word::whole),
                                        collective, bytes, samples);
                made.is_final = true;
                return made;
            });
    if (const auto own = native_replayed(collective, bytes)) list.push_back(*own);
    std::erase_if(list, [](const Candidate& one) { return !std::isfinite(one.expected); });
    return list;
}

}  // namespace echelon
