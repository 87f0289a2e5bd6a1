// SPDX-License-Identifier: Apache-2.0
#include "estimators/decide.hpp"

#include "core/error.hpp"
#include "core/format.hpp"
#include "core/ranks.hpp"
#include "estimators/replay_first.hpp"
#include "groups/ways.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <set>
#include <unordered_set>

namespace echelon {
namespace {

constexpr std::array<std::string_view, 4> policies{"model", "sqrt", "rabenseifner2004", "native"};
constexpr std::array<std::string_view, 4> bases{"measured", "interpolated", "corrected", "model"};

/// Who is so far behind between two measured sizes by a line from the one to the other is behind by any model: for
/// times a + b m between m and 4 m such a line is off by 6 %, for all in the same direction.
constexpr double behind = 1.1;

std::string percent(double share) { return format("%.0f %%", 100 * share); }

bool uses_groups(const Recipe& recipe, int count) {
    return recipe.is_shape() && recipe.groups->kind() == Groups::Kind::count &&
           recipe.groups->number() == count;
}

/// The 2004 papers' rule, as far as their text gives it (section 4 of the ICCS paper, measured on a Cray
/// T3E).
std::string rabenseifner_rule(int p, Bytes bytes, bool allreduce) {
    const bool power = is_power_of_two(p);
    if (bytes <= 32 && allreduce) return "recursive_doubling";
    if (bytes <= 1024) return allreduce && power ? "recursive_doubling" : "binomial";
    const bool odd_few = p < 32 && p % 2 == 1;
    if (odd_few && bytes >= (Bytes(64) << 10)) return "ring";
    int widest = 0, before = -1;  // the widest gap between the binary digits of p
    for (int bit = 0; p >> bit != 0; ++bit)
        if ((p >> bit & 1) != 0) {
            if (before >= 0) widest = std::max(widest, bit - before);
            before = bit;
        }
    const bool blocks =
        !power && p > 32 && bytes >= (Bytes(16) << 10) && widest < std::log2(double(bytes)) / 2 - 2.5;
    if (blocks &&
        find_algorithm(allreduce ? Collective::allreduce : Collective::reduce, "binary_blocks") != nullptr)
        return "binary_blocks";
    return "rabenseifner";
}

/// How much is done one after the other.
int phase_count(const Recipe& recipe) {
    int count = recipe.is_shape() && recipe.segment.value_or(0) > 0 ? 2 : 1;
    for (const Recipe& part : recipe.parts) count += phase_count(part);
    return count;
}

/// Of those that the model alone knows, and that take as long as the first one but for what no model can tell
/// apart, the plainest goes first: a choice does not turn on a rounding.
void plainest_first(std::vector<Candidate>& list) {
    constexpr double same = 1.02;
    if (list.empty() || list.front().basis != Basis::model) return;
    auto best = list.begin();
    for (auto one = list.begin() + 1; one != list.end(); ++one)
        if (one->basis == Basis::model && one->expected <= same * list.front().expected &&
            std::pair(phase_count(one->recipe), to_string(one->recipe)) <
                std::pair(phase_count(best->recipe), to_string(best->recipe)))
            best = one;
    std::rotate(list.begin(), best, best + 1);
}

Seconds by_expected(const Candidate& one) { return one.expected; }

/// Ascending by `key`, equal ones in their order. Each candidate is moved once.
std::vector<Candidate> sorted(std::vector<Candidate> list, Seconds (*key)(const Candidate&)) {
    std::vector<std::pair<Seconds, std::size_t>> order;
    order.reserve(list.size());
    for (const Candidate& one : list) order.emplace_back(key(one), order.size());
    std::sort(order.begin(), order.end());
    std::vector<Candidate> made;
    made.reserve(list.size());
    for (const auto& [seconds, place] : order) made.push_back(std::move(list[place]));
    return made;
}

struct RecipeHash {
    std::size_t operator()(const Recipe* recipe) const { return hash_but_segments(*recipe); }
};
struct SameRecipe {
    bool operator()(const Recipe* a, const Recipe* b) const { return *a == *b; }
};

}  // namespace

std::string_view name(Policy policy) { return policies[std::size_t(policy)]; }
std::string_view name(Basis basis) { return bases[std::size_t(basis)]; }

std::optional<Policy> policy_named(std::string_view text) {
    const auto found = std::find(policies.begin(), policies.end(), text);
    if (found == policies.end()) return std::nullopt;
    return Policy(found - policies.begin());
}

Decider::Decider(std::shared_ptr<const Profile> profile, Placement placement, Width width)
    : profile_(std::move(profile)),
      placement_(std::move(placement)),
      width_(width),
      layout_(layout_of(placement_)),
      natives_(*profile_),
      model_(profile_->parameters ? profile_->parameters->machine : Machine(), placement_, &natives_),
      factors_(*profile_, placement_) {}

std::optional<Seconds> Decider::predicted(const Recipe& recipe, Collective collective, Bytes bytes,
                                          Operation operation) {
    const std::scoped_lock lock(mutex_);
    if (recipe.has_native_parts()) return std::nullopt;
    const auto model = predicted(recipe, collective, bytes, operation, Word::whole);
    return model ? std::optional(model->seconds) : std::nullopt;
}

KnownSamples& Decider::known(Collective collective) {
    const auto found = known_.find(collective);
    if (found != known_.end()) return found->second;
    return known_.try_emplace(collective, *profile_, collective, placement_.size(), layout_).first->second;
}

Curve Decider::curve(Series& series, Collective collective, Bytes bytes, Word word) {
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

std::optional<Prediction> Decider::predicted(const Recipe& recipe, Collective collective, Bytes bytes,
                                             Operation operation, Word word) {
    if (!profile_->parameters) return std::nullopt;
    return word == Word::whole ? model_.whole(recipe, collective, bytes, operation)
                               : model_.sum(recipe, collective, bytes, operation);
}

Candidate Decider::judged(const Recipe& recipe, std::optional<Prediction> model, Collective collective,
                          Bytes bytes, KnownSamples& known) {
    const Seconds predicted = model ? model->seconds : 0;
    const Word word = model ? model->word : Word::sum;
    double model_error = profile_->parameters ? profile_->parameters->residual : 1;
    // What the library does in a part of a communicator is guessed from what it does in others.
    constexpr double least_of_native_parts = 0.2;
    if (recipe.has_native_parts()) model_error = std::max(model_error, least_of_native_parts);
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
        const Curve around = curve(*series, collective, bytes, word);
        if (!around.empty()) {
            const auto found = around.at(bytes);
            made.expected = model ? predicted * found.value : found.value;
            made.basis = Basis::interpolated;
            // Without a model the curve is of times, not of shares: less is known between its points.
            made.error = found.spread + found.distance * (found.inside && model ? error_per_octave
                                                                                : error_beyond_per_octave);
            // At this size another segment was measured: the deviation may be that one's own.
            if (found.distance == 0) made.error = std::max(made.error, std::abs(found.value - 1));
            return made;
        }
    }
    const auto factor = factors_(collective, recipe, bytes, word);
    if (!factor) return made;
    made.expected *= factor->value;
    if (!factor->error) return made;
    made.basis = Basis::corrected;
    made.error = std::min(model_error, *factor->error);
    return made;
}

std::optional<Candidate> Decider::native(Collective collective, Bytes bytes,
                                         const KnownSamples& known) const {
    const bool is_known = !known.native().empty();
    const auto time = is_known ? NativeTimes::of(known.native(), bytes)
                               : natives_(collective, placement_.size(),
                                          {model_.terrain().nodes(), model_.terrain().sites()}, bytes);
    if (!time) return std::nullopt;
    return Candidate{.recipe = {},
                     .expected = time->seconds,
                     .error = time->error,
                     .basis = !is_known                                ? Basis::corrected
                              : known.native().at(bytes).distance == 0 ? Basis::measured
                                                                       : Basis::interpolated,
                     .is_known = is_known};
}

bool Decider::serves(const Recipe& recipe, Collective collective, Operation operation) const {
    try {
        (void)resolve(recipe, collective, placement_, 0, operation);
        return true;
    } catch (const Error&) {
        return false;
    }
}

Seconds Decider::expected(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation) {
    const std::scoped_lock lock(mutex_);
    KnownSamples& samples = known(collective);
    const auto model = predicted(recipe, collective, bytes, operation, Word::whole);
    if (!model && samples.series(recipe) == nullptr) return 0;
    return judged(recipe, model, collective, bytes, samples).expected;
}

std::vector<Candidate> Decider::judge(Collective collective, Bytes bytes, Operation operation, Width width) {
    KnownSamples& samples = known(collective);
    std::vector<const Recipe*> near = samples.near(bytes);
    const auto on_both_sides = [&](const Recipe* recipe) {
        return samples.measured(*recipe, bytes) != nullptr || samples.series(*recipe)->reaches(bytes);
    };
    // What a calibration left out at the sizes around is no match for those that it measured there.
    constexpr long enough = 8;
    const bool among_measured =
        width <= Width::best && std::count_if(near.begin(), near.end(), on_both_sides) >= enough;
    if (among_measured) std::erase_if(near, std::not_fn(on_both_sides));
    const std::unordered_set<const Recipe*, RecipeHash, SameRecipe> measured(near.begin(), near.end());
    std::vector<Priced> priced;
    if (profile_->parameters && !among_measured)
        priced = candidates(model_.sums(), collective, bytes, operation, placement_, width);
    std::unordered_set<const Recipe*, RecipeHash, SameRecipe> seen;
    std::vector<Candidate> list;
    list.reserve(priced.size() + near.size() + 1);  // what was seen stays where it is
    for (const Priced& one : priced) {
        const bool is_known = measured.contains(&one.recipe);
        if (width <= Width::best && (is_known || samples.compared(one.recipe, bytes))) continue;
        list.push_back(judged(one.recipe, Prediction{one.seconds, Word::sum}, collective, bytes, samples));
        list.back().is_known = is_known;
        if (!near.empty()) seen.insert(&list.back().recipe);
    }
    // What was measured takes part even where the model thinks little of it; it is asked where it may decide.
    Seconds least = unlimited;
    for (const Recipe* const recipe : near)
        if (const auto time = samples.series(*recipe)->between(bytes)) least = std::min(least, time->value);
    for (const Recipe* const recipe : near) {
        if (!seen.insert(recipe).second) continue;
        const Sample* const here = samples.measured(*recipe, bytes);
        const auto time = samples.series(*recipe)->between(bytes);
        Candidate made{.recipe = *recipe, .is_final = true};
        if (width <= Width::best && (here != nullptr || (time && time->value > behind * least))) {
            if (!serves(*recipe, collective, operation)) continue;
            made.expected = here != nullptr ? here->seconds : time->value;
            made.basis = here != nullptr ? Basis::measured : Basis::interpolated;
            made.error =
                here != nullptr ? here->spread : time->spread + time->distance * error_beyond_per_octave;
        } else {
            const auto model = predicted(*recipe, collective, bytes, operation, Word::sum);
            // Native parts without a price cannot go beyond what was measured.
            if (profile_->parameters && !model &&
                (!samples.series(*recipe)->reaches(bytes) || !serves(*recipe, collective, operation)))
                continue;
            made = judged(*recipe, model, collective, bytes, samples);
            if (!model) made.is_final = true;
        }
        made.is_known = true;
        list.push_back(std::move(made));
    }
    // What is proposed to calibration is measured there, which takes far longer than to replay it.
    constexpr Effort quick{6, most_replayed_messages}, thorough{32, 10 * most_replayed_messages};
    const Effort effort = width <= Width::best ? quick : thorough;
    if (!among_measured && width != Width::few)
        replay_first(list, collective, bytes, model_, effort, [&](const Recipe& recipe) {
            Candidate made = judged(recipe, predicted(recipe, collective, bytes, operation, Word::whole),
                                    collective, bytes, samples);
            made.is_final = true;
            return made;
        });
    if (const auto own = native(collective, bytes, samples)) list.push_back(*own);
    std::erase_if(list, [](const Candidate& one) { return !std::isfinite(one.expected); });
    return list;
}

Decision Decider::decide(Collective collective, Bytes bytes, Operation operation, Policy policy,
                         Reasons reasons) {
    const std::scoped_lock lock(mutex_);
    // Nearly equal ones: what is known better goes first.
    std::vector<Candidate> list = sorted(judge(collective, bytes, operation, width_),
                                         [](const Candidate& one) { return one.at_worst(); });
    plainest_first(list);
    const auto is_native = [](const Candidate& one) { return one.recipe.kind == Recipe::Kind::native; };
    Decision decision;
    const auto own = std::find_if(list.begin(), list.end(), is_native);
    if (own != list.end()) decision.native = own->expected;

    auto chosen = list.begin();
    if (policy != Policy::model) {
        const auto recipe = named(policy, collective, bytes, operation);
        chosen = std::find_if(list.begin(), list.end(),
                              [&](const Candidate& one) { return recipe && one.recipe == *recipe; });
        if (recipe && chosen == list.end()) {
            list.insert(list.begin(),
                        judged(*recipe, predicted(*recipe, collective, bytes, operation, Word::whole),
                               collective, bytes, known(collective)));
            chosen = list.begin();
        }
    } else if (decision.native > 0) {
        // Never something expected to be slower than the native collective.
        const bool beats = !is_native(*chosen) && chosen->at_worst() < decision.native;
        if (!beats) chosen = std::find_if(list.begin(), list.end(), is_native);
        // What only a model praises does not displace what was measured: a trial may.
        const auto known =
            std::find_if(list.begin(), list.end(), [](const Candidate& one) { return one.is_known; });
        if (!chosen->is_known && known != list.end()) {
            decision.challenger = chosen->recipe;
            chosen = known->at_worst() < decision.native ? known : own;
        }
    } else {
        // Without a measured native time nothing can be promised.
        chosen = list.end();
    }

    for (Candidate& one : list) {
        if (reasons == Reasons::told && one.predicted == 0)
            one.predicted = predicted(one.recipe, collective, bytes, operation, Word::sum)
                                .value_or(Prediction{0, Word::sum})
                                .seconds;
        if (reasons == Reasons::left_out || (chosen != list.end() && &one == &*chosen)) continue;
        if (chosen == list.end())
            one.reason = "the native collective was not measured here, so that nothing is known to beat it";
        else if (decision.challenger && !one.is_known && one.at_worst() < chosen->expected)
            one.reason = "never measured here: a trial has to show that it is faster";
        else if (is_native(*chosen) && one.expected < decision.native)
            one.reason = "its lead over native is within its error of " + percent(one.error);
        else if (one.expected < chosen->expected)
            one.reason = policy == Policy::model ? "its lead is within its error of " + percent(one.error)
                                                 : "policy " + std::string(name(policy));
        else
            one.reason = "slower by " + percent(one.expected / chosen->expected - 1);
    }
    if (chosen != list.end()) {
        decision.recipe = chosen->recipe;
        decision.expected = chosen->expected;
        decision.basis = chosen->basis;
        std::rotate(list.begin(), chosen, chosen + 1);
    }
    decision.ranked = std::move(list);
    return decision;
}

Bytes Decider::size_class(Bytes bytes) {
    const int width = int(std::bit_width(bytes));
    constexpr int kept = 4;  // leading bits
    if (width <= kept) return bytes;
    const int cut = width - kept;
    return bytes >> cut << cut;
}

const Decider::Chosen& Decider::chosen(Collective collective, Bytes bytes, Operation operation,
                                       Policy policy) {
    const std::scoped_lock lock(mutex_);
    const Asked asked{collective, size_class(bytes), operation.in_order, operation.exact, policy};
    const auto known = chosen_.find(asked);
    return known != chosen_.end() ? known->second : chosen_.try_emplace(asked, choose(asked)).first->second;
}

Decider::Chosen Decider::choose(const Asked& asked) {
    const Decision decision =
        decide(asked.collective, asked.bytes, {asked.in_order, asked.exact}, asked.policy, Reasons::left_out);
    Chosen made{.recipe = decision.recipe};
    const auto seen = [&](const Recipe& recipe) {
        for (const Candidate& one : decision.ranked)
            if (one.recipe == recipe && (one.basis == Basis::measured || one.basis == Basis::interpolated))
                return one.expected;
        return Seconds(0);
    };
    made.seconds = seen(made.recipe);
    made.native_seconds = seen(Recipe());
    if (asked.policy != Policy::model) return made;  // it was asked for
    // The chosen one is the first of the ranked, unless nothing is promised.
    const Seconds time = decision.expected > 0 ? decision.expected : unlimited;
    std::vector<const Candidate*> by_time;
    for (const Candidate& one : decision.ranked)
        if (one.expected * (1 - std::min(one.error, 0.5)) < time) by_time.push_back(&one);
    std::stable_sort(by_time.begin(), by_time.end(),
                     [](const auto* a, const auto* b) { return a->expected < b->expected; });
    std::set<std::string_view> classes{class_of(made.recipe), class_of(Recipe())};
    if (decision.challenger) {
        made.rivals.push_back(*decision.challenger);
        classes.insert(class_of(*decision.challenger));
    }
    constexpr std::size_t most = 3;
    for (const Candidate* const one : by_time)
        if (made.rivals.size() < most && classes.insert(class_of(one->recipe)).second)
            made.rivals.push_back(one->recipe);
    return made;
}

std::optional<Recipe> Decider::named(Policy policy, Collective collective, Bytes bytes, Operation operation) {
    const std::scoped_lock lock(mutex_);
    if (policy == Policy::native) return Recipe();
    if (policy == Policy::rabenseifner2004) {
        if (collective != Collective::allreduce && collective != Collective::reduce) return Recipe();
        return Recipe{
            .kind = Recipe::Kind::flat,
            .name = rabenseifner_rule(placement_.size(), bytes, collective == Collective::allreduce)};
    }
    const int root = sqrt_group_count(placement_.size());
    for (const Priced& one : candidates(model_.sums(), collective, bytes, operation, placement_, Width::best))
        if (uses_groups(one.recipe, root) ||
            (one.recipe.is_shape() && one.recipe.groups->kind() == Groups::Kind::node &&
             model_.terrain().nodes() == root))
            return one.recipe;
    return std::nullopt;
}

int Decider::best_groups(Collective collective, Bytes bytes, Operation operation) {
    const std::scoped_lock lock(mutex_);
    const Decision decision = decide(collective, bytes, operation);
    const auto best = std::find_if(decision.ranked.begin(), decision.ranked.end(), [](const Candidate& one) {
        return one.recipe.kind != Recipe::Kind::native;
    });
    if (best == decision.ranked.end() || !best->recipe.is_shape()) return 1;
    const Terrain::Division* const division = model_.terrain().divide(*best->recipe.groups);
    return division == nullptr ? 1 : division->group_count;
}

std::vector<Candidate> Decider::all(Collective collective, Bytes bytes, Operation operation) {
    const std::scoped_lock lock(mutex_);
    return sorted(judge(collective, bytes, operation, Width::all), by_expected);
}

std::vector<Candidate> Decider::shortlist(Collective collective, Bytes bytes, Operation operation,
                                          std::size_t most) {
    const std::scoped_lock lock(mutex_);
    auto list = judge(collective, bytes, operation, Width::some);
    std::erase_if(list, [](const Candidate& one) { return one.recipe.kind == Recipe::Kind::native; });
    list = sorted(std::move(list), by_expected);
    std::vector<Candidate> chosen;
    std::map<std::string_view, std::size_t> of_class;
    // What the model sees three times as slow as the best is left alone, and so is what it cannot tell from the one
    // before: of a power of two many names are the same messages.
    constexpr double hopeless = 3, same = 1 + 1e-9;
    for (Candidate& one : list) {
        if (one.expected > hopeless * list.front().expected) break;
        if (!chosen.empty() && one.is_final && one.basis == Basis::model &&
            one.expected <= same * chosen.back().expected)
            continue;
        const bool first_of_class = of_class[class_of(one.recipe)]++ == 0;
        if (chosen.size() < most || first_of_class) chosen.push_back(one);
    }
    return chosen;
}

}  // namespace echelon
