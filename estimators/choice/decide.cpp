// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/decide.hpp"

#include "core/error.hpp"
#include "core/format.hpp"
#include "core/ranks.hpp"
#include "estimators/choice/outside_model.hpp"
#include "estimators/choice/replay_first.hpp"
#include "flat/catalog.hpp"
#include "groups/ways.hpp"
#include "hier/meaning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

namespace echelon {
namespace {

std::string percent(double share) { return format("%.0f %%", 100 * share); }

bool uses_groups(const Recipe& recipe, int count) {
    return recipe.is_shape() && recipe.groups->kind() == Groups::Kind::count &&
           recipe.groups->number() == count;
}

/// Puts a measured recipe without native parts first if it is almost as fast as a measured first one with
/// native parts: communicators for native parts cost more than the difference.
void without_native_parts_first(std::vector<Candidate>& list) {
    constexpr double little = 1.01;
    if (list.empty() || list.front().basis != Basis::measured || !list.front().recipe.has_native_parts())
        return;
    const auto other = std::ranges::find_if(list, [&](const Candidate& one) {
        return one.basis == Basis::measured && one.recipe.kind != Recipe::Kind::native &&
               !one.recipe.has_native_parts();
    });
    if (other != list.end() && other->at_worst() <= little * list.front().at_worst())
        std::rotate(list.begin(), other, other + 1);
}

Seconds by_expected(const Candidate& one) { return one.expected; }

/// Sorts stably by ascending `key`. Moves each candidate once.
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

/// A recipe that takes about as long; for native the usual algorithm, about which the model knows more.
Recipe stand_in(const Recipe& recipe, Collective collective, Bytes bytes) {
    return recipe.kind == Recipe::Kind::native ? reproducible_rule(collective, bytes) : recipe;
}

using Ranking = std::vector<Candidate>;

/// The choice of model and measurement together; the end if native has no time, because then no gain is
/// certain. Sets the decision's challenger. `predicted`: the model's time of a recipe; 0 if it has none.
template <class Predicted>
Ranking::iterator best_of(Ranking& list, Decision& decision, Predicted&& predicted) {
    if (!(decision.native > 0)) return list.end();
    const auto own = std::ranges::find_if(list, &Candidate::is_native);
    // A recipe that may be slower than native is not chosen, neither where calls follow each other nor alone.
    auto chosen = std::ranges::find_if(list, [&](const Candidate& one) {
        return one.is_native() || one.alone_at_worst() < own->alone_at_best();
    });
    if (chosen->is_native() || chosen->at_worst() >= own->at_best()) chosen = own;
    // An unmeasured recipe displaces a measured one only by a lead of twice its error, and if the model is
    // right about the best measured one with a price to this error; otherwise a trial has to show it. Native
    // parts are inferred from other ranks.
    const auto known = std::ranges::find_if(list, [](const Candidate& one) { return one.is_known; });
    const auto surely = [&] {
        if (chosen->is_native() || chosen->recipe.has_native_parts() || known->is_native() ||
            chosen->in_a_program() * (1 + 2 * chosen->error) >= known->in_a_program())
            return false;
        const auto judge = std::ranges::find_if(list, [](const Candidate& one) {
            return one.is_known && !one.is_native() && !one.recipe.has_native_parts();
        });
        const Seconds model = judge == list.end() ? 0 : predicted(judge->recipe);
        return model > 0 && std::abs(std::log(judge->expected / model)) <= 2 * chosen->error;
    };
    if (!chosen->is_known && known != list.end() && !surely()) {
        decision.challenger = chosen->recipe;
        chosen = known->at_worst() < own->at_best() ? known : own;
    }
    return chosen;
}

/// Reason why a candidate was not chosen; `chosen` is nullptr if none was. `not_measured`: see Judge.
std::string why_not(const Candidate& one, const Candidate* chosen, const Decision& decision, Policy policy,
                    std::string_view not_measured) {
    if (chosen == nullptr && !not_measured.empty())
        return "messages " + std::string(not_measured) + " were not measured: nothing is promised";
    if (chosen == nullptr)
        return "the native collective was not measured here, so that nothing is known to beat it";
    if (decision.challenger && !one.is_known && one.at_worst() < chosen->expected)
        return "never measured here: a trial has to show that it is faster";
    if (chosen->is_native() && one.expected < decision.native)
        return one.at_worst() < decision.native
                   ? "native was not measured here and may take so much less"
                   : "its lead over native is within its error of " + percent(one.error);
    if (one.expected < chosen->expected && one.in_a_program() >= chosen->in_a_program())
        return "faster alone, slower where calls follow each other";
    if (one.expected < chosen->expected)
        return policy == Policy::model ? "its lead is within its error of " + percent(one.error)
                                       : "policy " + std::string(name(policy));
    return "slower by " + percent(one.expected / chosen->expected - 1);
}

/// A precomputed decision in the decider's form.
std::vector<std::pair<Bytes, Decider::Chosen>> chosen_of(const Foreseen& foreseen) {
    std::vector<std::pair<Bytes, Decider::Chosen>> all;
    for (const Foreseen::Point& point : foreseen.points) {
        Decider::Chosen one{.recipe = foreseen.recipe, .rivals = foreseen.rivals};
        if (point.measured) {
            one.seconds = point.seconds[0];
            one.native_seconds = point.seconds[1];
        }
        const auto add = [&](const Recipe& recipe, std::size_t i) {
            one.times.push_back({recipe, point.seconds[i], point.paces.empty() ? 1 : point.paces[i]});
        };
        add(foreseen.recipe, 0);
        add(Recipe(), 1);
        for (std::size_t i = 0; i < foreseen.rivals.size(); ++i) add(foreseen.rivals[i], 2 + i);
        all.emplace_back(point.bytes, std::move(one));
    }
    return all;
}

}  // namespace

Decider::Decider(std::shared_ptr<const Profile> profile, Placement placement, Width width,
                 const Company* company)
    : judge_(std::move(profile), std::move(placement), width == Width::few ? Detail::quick : Detail::thorough,
             company),
      width_(width) {
    for (const Foreseen& one : judge_.profile().foreseen) {
        const Operation operation{.in_order = false, .exact = one.exact};
        const auto serves = [&](const Recipe& recipe) {
            return judge_.serves(recipe, one.collective, operation);
        };
        if (one.p == this->placement().size() && one.layout == layout() && serves(one.recipe) &&
            std::ranges::all_of(one.rivals, serves))
            for (auto& [bytes, chosen] : chosen_of(one))
                chosen_.try_emplace(asked(one.collective, bytes, operation, Policy::model),
                                    std::move(chosen));
    }
}

std::optional<Seconds> Decider::predicted(const Recipe& recipe, Collective collective, Bytes bytes,
                                          Operation operation) {
    const Turn turn(mutex_);
    if (recipe.has_native_parts()) return std::nullopt;
    const auto model = judge_.predicted(recipe, collective, bytes, operation, Word::whole);
    return model ? std::optional(model->seconds) : std::nullopt;
}

bool Decider::has_price(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation) {
    const Turn turn(mutex_);
    return judge_.predicted(recipe, collective, bytes, operation, Word::sum).has_value();
}

Seconds Decider::expected(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation) {
    const Turn turn(mutex_);
    if (const Chosen::Time* const time = decided(recipe, asked(collective, bytes, operation, Policy::model)))
        return time->alone;
    auto known = judge_.candidate(recipe, collective, bytes, operation);
    if (!known) return 0;
    ask_outside(*known, collective, bytes);
    return known->expected;
}

const Decider::Chosen::Time* Decider::decided(const Recipe& recipe, const Asked& asked) const {
    const auto chosen = chosen_.find(asked);
    if (chosen == chosen_.end()) return nullptr;
    const auto time = std::ranges::find(chosen->second.times, recipe, &Chosen::Time::recipe);
    return time == chosen->second.times.end() ? nullptr : &*time;
}

void Decider::ask_outside(Candidate& one, Collective collective, Bytes bytes) const {
    ask_outside_model(one, collective, bytes, placement().size(), judge_.contention().nodes());
}

std::vector<Candidate> Decider::advised(Collective collective, Bytes bytes, Operation operation) {
    std::vector<Candidate> list = judge_.candidates(collective, bytes, operation, width_);
    if (!has_outside_model()) return list;
    // It may think better of what Echelon's model leaves out.
    const auto add = [&](const Recipe& recipe) {
        if (std::ranges::find(list, recipe, &Candidate::recipe) == list.end())
            list.push_back({.recipe = recipe});
    };
    add(Recipe());
    for (const Algorithm& row : catalog(collective)) {
        const Recipe flat{.kind = Recipe::Kind::flat, .name = std::string(row.name)};
        if (!row.in_window && judge_.serves(flat, collective, operation)) add(flat);
    }
    for (Candidate& one : list) ask_outside(one, collective, bytes);
    std::erase_if(list, [](const Candidate& one) { return one.expected == 0; });
    return list;
}

Decision Decider::decide(Collective collective, Bytes bytes, Operation operation, Policy policy,
                         Reasons reasons) {
    const Turn turn(mutex_);
    // Order by the time at worst: of nearly equal candidates the better known goes first.
    Ranking list = advised(collective, bytes, operation);
    if (policy == Policy::model) set_paces(list, collective, bytes, operation);
    list = sorted(std::move(list), [](const Candidate& one) { return one.at_worst(); });
    without_native_parts_first(list);
    Decision decision;
    if (const auto own = std::ranges::find_if(list, &Candidate::is_native); own != list.end())
        decision.native = own->expected;

    auto chosen = list.end();
    if (policy == Policy::model)
        chosen = best_of(list, decision, [&](const Recipe& recipe) {
            return predicted(recipe, collective, bytes, operation).value_or(0);
        });
    else if (const auto recipe = named(policy, collective, bytes, operation))
        chosen = place_of(*recipe, list, collective, bytes, operation);

    const Candidate* const best = chosen == list.end() ? nullptr : &*chosen;
    for (Candidate& one : list) {
        if (reasons == Reasons::told && one.predicted == 0)
            one.predicted = judge_.predicted(one.recipe, collective, bytes, operation, Word::sum)
                                .value_or(Prediction{0, Word::sum})
                                .seconds;
        if (reasons == Reasons::told && judge_.profile().parameters)
            one.by_formula =
                judge_.forms(Forms::Model::plogp)(one.recipe, collective, bytes, operation).value_or(0);
        if (reasons == Reasons::told && &one != best)
            one.reason = why_not(one, best, decision, policy, not_measured());
    }
    if (best != nullptr) {
        decision.recipe = best->recipe;
        decision.expected = best->expected;
        decision.basis = best->basis;
        std::rotate(list.begin(), chosen, chosen + 1);
    }
    decision.ranked = std::move(list);
    return decision;
}

std::vector<Candidate>::iterator Decider::place_of(const Recipe& recipe, std::vector<Candidate>& list,
                                                   Collective collective, Bytes bytes, Operation operation) {
    const auto known = std::ranges::find(list, recipe, &Candidate::recipe);
    if (known != list.end()) return known;
    return list.insert(list.begin(), judge_.candidate(recipe, collective, bytes, operation)
                                         .value_or(Candidate{.recipe = recipe, .is_final = true}));
}

Bytes Decider::size_class(Bytes bytes) {
    constexpr Bytes usual_short_one = 8, long_enough = 128;
    if (bytes > 0 && bytes < long_enough) return usual_short_one;
    const int width = int(std::bit_width(bytes));
    constexpr int kept = 4;  // leading bits
    if (width <= kept) return bytes;
    const int cut = width - kept;
    return bytes >> cut << cut;
}

const Decider::Chosen& Decider::chosen(Collective collective, Bytes bytes, Operation operation,
                                       Policy policy) {
    const Turn turn(mutex_);
    const Asked such = asked(collective, bytes, operation, policy);
    const auto known = chosen_.find(such);
    return known != chosen_.end() ? known->second : chosen_.try_emplace(such, choose(such)).first->second;
}

Seconds Decider::native(Collective collective, Bytes bytes) {
    const Turn turn(mutex_);
    Candidate known = judge_.native(collective, bytes).value_or(Candidate());
    ask_outside(known, collective, bytes);
    return known.expected;
}

Decider::Ground Decider::ground(Collective collective, Bytes bytes, Operation operation, Policy policy) {
    const Turn turn(mutex_);
    const Asked such = asked(collective, bytes, operation, policy);
    if (chosen_.contains(such) || of_exact_ones(such) != nullptr) return Ground::decided;
    return fastest_measured(collective, bytes) > 0 ? Ground::measured : Ground::model;
}

Seconds Decider::fastest_measured(Collective collective, Bytes bytes) {
    const Turn turn(mutex_);
    return judge_.fastest_measured(collective, bytes);
}

/// The choice for exact operations, if it also serves rounding ones: their recipes are a subset.
const Decider::Chosen* Decider::of_exact_ones(Asked asked) const {
    if (std::exchange(asked.exact, true)) return nullptr;
    const auto known = chosen_.find(asked);
    if (known == chosen_.end()) return nullptr;
    const Chosen& chosen = known->second;
    const Operation rounding{asked.in_order, false};
    const auto serves = [&](const Recipe& recipe) {
        return judge_.serves(recipe, asked.collective, rounding);
    };
    return serves(chosen.recipe) && std::ranges::all_of(chosen.rivals, serves) ? &chosen : nullptr;
}

bool Decider::overlaps(Collective collective) const {
    return !has_outside_model() && (pattern(collective) != Pattern::to_all || judge_.has_company());
}

std::optional<double> Decider::pace(const Recipe& recipe, const Asked& asked) {
    if (!overlaps(asked.collective)) return 1;
    if (const auto share = judge_.row_share(recipe, asked.collective, asked.bytes);
        share && !judge_.has_company())
        return std::sqrt(*share);
    const Operation operation{asked.in_order, asked.exact};
    const Recipe same = stand_in(recipe, asked.collective, asked.bytes);
    const auto single = judge_.predicted(same, asked.collective, asked.bytes, operation, Word::whole);
    const auto row = judge_.in_a_row(same, asked.collective, asked.bytes, operation);
    return single && row ? std::optional(std::sqrt(*row / single->seconds)) : std::nullopt;
}

void Decider::set_paces(Ranking& list, Collective collective, Bytes bytes, Operation operation) {
    if (!overlaps(collective) || list.empty() ||
        !(judge_.has_company() || judge_.row_share(Recipe(), collective, bytes)))
        return;
    // Each pace costs a schedule. One that takes much longer alone than the best so far in a program hardly
    // becomes the first.
    constexpr double promising = 1.5;
    std::vector<Candidate*> by_time, others;
    for (Candidate& one : list) by_time.push_back(&one);
    std::ranges::stable_sort(by_time, {}, &Candidate::expected);
    const Asked such{collective, bytes, operation.in_order, operation.exact, Policy::model};
    const Seconds least = by_time.front()->expected;
    Seconds best = unlimited;
    double slowest = 1;
    for (Candidate* const one : by_time) {
        const bool priced = one->is_native() || one->expected <= promising * std::max(least, best) ||
                            judge_.row_share(one->recipe, collective, bytes);
        const auto found = priced ? pace(one->recipe, such) : std::nullopt;
        if (!found) {
            others.push_back(one);
            continue;
        }
        one->pace = *found;
        slowest = std::max(slowest, one->pace);
        best = std::min(best, one->in_a_program());
    }
    for (Candidate* const one : others) one->pace = slowest;
}

Decider::Chosen Decider::choose(const Asked& asked) {
    if (const Chosen* const known = of_exact_ones(asked)) return *known;
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
    if (asked.policy != Policy::model) return made;  // a policy names it: no rivals
    // Every candidate is a rival if no gain is promised.
    const Seconds time = decision.expected > 0 ? decision.ranked.front().in_a_program() : unlimited;
    std::vector<std::pair<Seconds, const Candidate*>> by_pace;
    const auto pace_of = [&](const Candidate& one) { return pace(one.recipe, asked).value_or(one.pace); };
    for (const Candidate& one : decision.ranked)
        if (one.in_a_program() * (1 - std::min(one.error, 0.5)) < time)
            by_pace.emplace_back(one.predicted > 0 ? one.expected * pace_of(one) : one.expected, &one);
    std::ranges::stable_sort(by_pace, {}, [](const auto& one) { return one.first; });
    // Without measurements the two cheapest may be of one class: their order on the real machine is
    // uncertain.
    const auto room = [&](const Recipe& recipe) {
        return width_ == Width::few && !goes_through_memory(recipe) ? 2 : 1;
    };
    std::map<std::string_view, int> of_class{{class_of(made.recipe), 1}, {class_of(Recipe()), 1}};
    if (decision.challenger) {
        made.rivals.push_back(*decision.challenger);
        ++of_class[class_of(*decision.challenger)];
    }
    // Where communicators for native phases cannot be made, the best recipe without them serves.
    if (made.recipe.has_native_parts() && pattern(asked.collective) != Pattern::to_all) {
        const auto best = std::ranges::find_if(decision.ranked, [](const Candidate& one) {
            return !one.is_native() && !one.recipe.has_native_parts();
        });
        if (best != decision.ranked.end() && best->expected < decision.native &&
            std::ranges::count(made.rivals, best->recipe) == 0) {
            made.rivals.push_back(best->recipe);
            ++of_class[class_of(best->recipe)];
        }
    }
    constexpr std::size_t most = 3;
    for (const auto& [time_in_a_program, one] : by_pace)
        if (made.rivals.size() < most && ++of_class[class_of(one->recipe)] <= room(one->recipe))
            made.rivals.push_back(one->recipe);
    for (const Candidate& one : decision.ranked)
        if (one.is_native() ||
            ((one.is_final || one.basis == Basis::interpolated || width_ == Width::few) &&
             (one.recipe == made.recipe || std::ranges::count(made.rivals, one.recipe) > 0)))
            made.times.push_back({one.recipe, one.expected, pace_of(one)});
    return made;
}

Seconds Decider::in_a_program(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation) {
    const Turn turn(mutex_);
    const Chosen::Time* const time = decided(recipe, asked(collective, bytes, operation, Policy::model));
    if (time != nullptr && time->alone > 0) return time->alone * time->pace;
    const Seconds alone = expected(recipe, collective, bytes, operation);
    const Recipe same = stand_in(recipe, collective, bytes);
    return (alone > 0 ? alone : expected(same, collective, bytes, operation)) *
           pace(recipe, {collective, bytes, operation.in_order, operation.exact, Policy::model}).value_or(1);
}

Recipe Decider::flat(const Algorithm& row, Bytes bytes) {
    const Turn turn(mutex_);
    Recipe made{.kind = Recipe::Kind::flat, .name = std::string(row.name)};
    if (!row.takes_segment || bytes == 0) return made;
    const Bytes best = judge_.sums().best_segment(row, bytes, judge_.contention());
    if (best != row.default_segment) made.segment = best < bytes ? best : 0;
    return made;
}

std::optional<Recipe> Decider::named(Policy policy, Collective collective, Bytes bytes, Operation operation) {
    const Turn turn(mutex_);
    if (policy == Policy::native) return Recipe();
    if (policy == Policy::rabenseifner2004) {
        if (collective != Collective::allreduce && collective != Collective::reduce) return Recipe();
        return Recipe{
            .kind = Recipe::Kind::flat,
            .name = rabenseifner_rule(placement().size(), bytes, collective == Collective::allreduce)};
    }
    if (policy == Policy::formula_hockney || policy == Policy::formula_plogp) {
        if (!judge_.profile().parameters) return std::nullopt;
        const auto model = policy == Policy::formula_plogp ? Forms::Model::plogp : Forms::Model::hockney;
        const auto list =
            candidates(judge_.forms(model), collective, bytes, operation, placement(), Width::best);
        return list.empty() ? std::nullopt : std::optional(list.front().recipe);
    }
    const int root = sqrt_group_count(placement().size());
    for (const Priced& one :
         candidates(judge_.sums(), collective, bytes, operation, placement(), Width::best))
        if (uses_groups(one.recipe, root) ||
            (one.recipe.is_shape() && one.recipe.groups->kind() == Groups::Kind::node &&
             judge_.contention().nodes() == root))
            return one.recipe;
    return std::nullopt;
}

int Decider::best_groups(Collective collective, Bytes bytes, Operation operation) {
    const Turn turn(mutex_);
    const Decision decision = decide(collective, bytes, operation);
    const auto best = std::find_if(decision.ranked.begin(), decision.ranked.end(), [](const Candidate& one) {
        return one.recipe.kind != Recipe::Kind::native;
    });
    if (best == decision.ranked.end() || !best->recipe.is_shape()) return 1;
    const Contention::Division* const division = judge_.contention().divide(*best->recipe.groups);
    return division == nullptr ? 1 : division->group_count;
}

std::vector<Candidate> Decider::all(Collective collective, Bytes bytes, Operation operation) {
    const Turn turn(mutex_);
    return sorted(judge_.candidates(collective, bytes, operation, Width::all), by_expected);
}

std::vector<Candidate> Decider::shortlist(Collective collective, Bytes bytes, Operation operation,
                                          std::size_t most) {
    const Turn turn(mutex_);
    auto list = judge_.candidates(collective, bytes, operation, Width::some);
    std::erase_if(list, [](const Candidate& one) { return one.recipe.kind == Recipe::Kind::native; });
    list = sorted(std::move(list), by_expected);
    std::vector<Candidate> chosen;
    std::map<std::string_view, std::size_t> of_class;
    // Candidates three times as slow as the best are left out, and candidates that the model cannot tell from
    // the one before: at powers of two many names stand for the same messages.
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
