// SPDX-License-Identifier: Apache-2.0
#include "tuner/requests.hpp"

#include "estimators/choice/policy.hpp"
#include "flat/catalog.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// Collectives for which ECHELON_GROUPS alone asks for a hierarchy.
bool reduces_or_broadcasts(Collective collective) {
    return collective == Collective::allreduce || collective == Collective::reduce ||
           collective == Collective::bcast;
}

/// leaders(`groups`, ...) with algorithms for the collective and the size.
Recipe leaders_recipe(Groups groups, Collective collective, Bytes bytes) {
    const bool vector = bytes > short_vector;
    Recipe inner = flat("binomial"), outer = flat("binomial");
    if (collective == Collective::allreduce) outer = flat(vector ? "rabenseifner" : "recursive_doubling");
    if (collective == Collective::reduce && vector) outer = flat("rabenseifner");
    if (collective == Collective::bcast && vector) outer = flat("scatter_allgather");
    if (collective == Collective::barrier) outer = flat("dissemination");
    return {.kind = Recipe::Kind::leaders,
            .groups = std::move(groups),
            .parts = {std::move(inner), std::move(outer)}};
}

}  // namespace

BySize<Recipe> leaders_by_size(const Groups& groups, Collective collective, ByteRange sizes) {
    BySize<Recipe> recipes;
    if (sizes.from <= short_vector)
        recipes.add({sizes.from, std::min(sizes.to, short_vector)},
                    leaders_recipe(groups, collective, sizes.from));
    if (sizes.to > short_vector)
        recipes.add({std::max(sizes.from, short_vector + 1), sizes.to},
                    leaders_recipe(groups, collective, sizes.to));
    return recipes;
}

std::vector<Requested> Tuner::requested_rows() {
    std::vector<Requested> rows;
    const Settings& process_settings = settings();
    const Settings* const keys = requests().keys();
    // Info keys may restore the automatic choice.
    const bool restored = keys != nullptr && keys->mode == Mode::automatic;
    for (const Collective collective : all_collectives) {
        const auto add = [&](ByteRange sizes, Choice choice, bool strict = false, bool inexact_only = false) {
            rows.push_back({collective, sizes, std::move(choice), strict, inexact_only});
        };
        const auto add_settings = [&](const Settings& some, Source source, bool native) {
            const bool strict = process_settings.strict;
            if (const auto table = some.recipes.find(collective); table != some.recipes.end())
                for (auto row = table->second.rbegin(); row != table->second.rend(); ++row)
                    add(row->sizes, {.recipe = row->value, .source = source}, strict);
            if (native)
                add({}, {.recipe = {}, .source = source}, strict);
            else if (some.groups && reduces_or_broadcasts(collective))
                for (const auto& [sizes, recipe] : leaders_by_size(*some.groups, collective, {}))
                    add(sizes, {.recipe = recipe, .source = source}, strict);
        };
        if (requests().at_odds())
            add({},
                {.recipe = {}, .source = Source::refused, .refusal = "the ranks have different settings"});
        if (process_settings.mode == Mode::off) add({}, {.recipe = {}, .source = Source::setting});
        if (keys != nullptr && keys->mode == Mode::off) add({}, {.recipe = {}, .source = Source::key});
        if (const auto* given = hints().of(collective))
            for (auto row = given->rbegin(); row != given->rend(); ++row)
                add(row->sizes, {.recipe = row->value.recipe, .source = Source::hint}, row->value.strict);
        if (keys != nullptr) add_settings(*keys, Source::key, keys->mode == Mode::native);
        add_settings(process_settings, Source::setting, process_settings.mode == Mode::native && !restored);
        if (process_settings.reproducible == Reproducible::no || !reduces(collective)) continue;
        for (const ByteRange sizes : {ByteRange{0, short_vector}, ByteRange{.from = short_vector + 1}})
            add(sizes, {.recipe = reproducible_rule(collective, sizes.from), .source = Source::setting},
                process_settings.strict, process_settings.reproducible == Reproducible::any);
    }
    return rows;
}

std::optional<Choice> known_choice(Tuner& tuner, const PlanKey& key) {
    if (tuner.measured() != nullptr && !tuner.requests().at_odds())
        return Choice{.recipe = tuner.measured()->recipe, .source = Source::trial};
    if (const Requested* const request = tuner.table().find_requested(key)) return request->choice;
    // A user-made operation has one long element, which no recipe cuts: models of long vectors do not hold.
    if (reduces(key.collective) && key.element_size > short_vector)
        return Choice{.recipe = {}, .source = Source::built_in};
    if (const Row* const row = tuner.table().find(key))
        if (row->choice.source != Source::startup ||
            !tuner.own().lacks_windows(row->choice.recipe, key.collective))
            return row->choice;
    // If ranks know only their own blocks, only a trial of hierarchies can find more.
    const bool is_native = key.own_lengths() && !(may_be_tried(tuner, key) && tries_hierarchies(tuner));
    if (is_native || chooses_native_only(tuner, key.collective))
        return Choice{.recipe = {}, .source = Source::built_in};
    return std::nullopt;
}

bool may_be_tried(Tuner& tuner, const PlanKey& key) {
    return tuner.percent(key) > 0 && !tuner.settings().keeps_order();
}

bool tries_hierarchies(Tuner& tuner) {
    return tuner.size() >= rules.least_ranks && !(tuner.own().knows_placement(true, false) &&
                                                  tuner.own().placement(true, false).node_count() == 1);
}

bool chooses_native_only(Tuner& tuner, Collective collective) {
    if (tuner.measured() != nullptr) return false;
    bool all = false;
    for (const Requested& one : tuner.table().requested()) {
        if (one.collective != collective) continue;
        all = all || one.sizes == ByteRange{};
        if (one.choice.recipe.kind != Recipe::Kind::native) return false;
        if (all) return true;
    }
    if (tuner.machine().has_profile()) return false;
    return !(tries_hierarchies(tuner) || tries_shared_memory(tuner) || may_turn_out_to_share_memory(tuner));
}

std::uint64_t step_here(Tuner& tuner) {
    // A rank without a processor waits for the end of another rank's turn. The step is that of the rank that
    // waited least, which may not have seen this.
    constexpr std::uint64_t turn = 1'000'000;
    const JobMap* const job_map = tuner.process().world().job_map();
    return job_map == nullptr ? 0 : std::max(job_map->step(), job_map->is_crowded() ? turn : 0);
}

DefaultCosts default_costs_here(Tuner& tuner) {
    // On a network the model's times are the reference, and other costs use the same scale. Only inside a
    // node the measured step counts.
    const bool memory = tuner.own().may_share_memory();
    return {tuner.size(), memory, memory ? step_here(tuner) : 0};
}

bool tries_shared_memory(Tuner& tuner) {
    return tuner.own().may_share_memory() && !tuner.settings().keeps_order() && tuner.tries();
}

bool may_turn_out_to_share_memory(Tuner& tuner) {
    return tuner.own().may_have_windows() && !tuner.own().knows_placement(true, false) &&
           !tuner.settings().keeps_order() && tuner.tries();
}

bool is_open_to_shared_memory(Tuner& tuner) {
    if (tuner.requests().at_odds() || !tuner.requests().settled() || tuner.machine().has_profile() ||
        tuner.requests().keys() != nullptr)
        return false;
    const Settings& settings = tuner.settings();
    return tries_shared_memory(tuner) && !settings.mode && !settings.groups && settings.recipes.empty();
}

}  // namespace echelon
