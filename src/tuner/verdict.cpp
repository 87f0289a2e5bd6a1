// SPDX-License-Identifier: Apache-2.0
#include "tuner/verdict.hpp"

#include "core/units.hpp"
#include "mpi/comm.hpp"
#include "tuner/decide.hpp"
#include "tuner/requests.hpp"

#include <utility>

namespace echelon {
namespace {

/// Number of calls before a measured one.
long warm_up(Tuner& tuner, const PlanKey& key) {
    if (!tuner.own().may_share_memory()) return 0;
    if (key.bytes() > rules.in_caches) return rules.warm_long;
    return key.synchronises(tuner.size()) ? rules.warm : rules.warm_one_way;
}

Trial::Evidence evidence(Tuner& tuner, const PlanKey& key) {
    if (!tuner.classes().of(key).waits_for_all()) return Trial::Evidence::blocks;
    const JobMap* const job_map = tuner.process().world().job_map();
    const bool one_clock = job_map != nullptr && job_map->share_a_clock(ranks_in_world(tuner.user()));
    return one_clock ? Trial::Evidence::one_clock : Trial::Evidence::own_clocks;
}

/// Time of a call by the winner, and of native; the time of a loser, as text.
void add_finding(Row& row, const Trial& trial, Trial::Verdict verdict) {
    const Recipe& recipe = trial.arms()[trial.incumbent()].recipe;
    row.choice = {.recipe = recipe, .source = Source::trial, .refusal = row.choice.refusal};
    row.choice.evidence.ours = trial.seconds();
    if (recipe.kind == Recipe::Kind::native) row.choice.evidence.native = trial.seconds();
    for (std::size_t i = 0; i < trial.arms().size(); ++i)
        if (trial.arms()[i].recipe.kind == Recipe::Kind::native && trial.ratio(i) && i != trial.incumbent())
            row.choice.evidence.native = *trial.ratio(i) * trial.seconds();
    if (verdict == Trial::Verdict::replaced)
        row.choice.refusal = to_string(trial.arms()[trial.former()].recipe) + " took " +
                             readable(trial.ratio(trial.former()).value_or(1) * trial.seconds()) + ", this " +
                             readable(trial.seconds());
}

}  // namespace

void begin_trial(Tuner& tuner, Row& row, CallDecision decision) {
    std::vector<Trial::Arm>& arms = decision.arms;
    if (arms.size() < 2 || !may_be_tried(tuner, row.key)) return;
    const bool calibrated = tuner.machine().knows(row.key);
    // A calibration times single calls, which hide the gain of calls in a row.
    const bool sure = calibrated && tuner.classes().of(row.key).waits_for_all();
    const Trial::Terms terms{.evidence = evidence(tuner, row.key),
                             .share = tuner.percent(row.key) / 100.0,
                             .first_share = sure ? rules.calibrated_first_share : rules.first_share,
                             .calibrated = calibrated,
                             .doubt = doubt(tuner, row.key),
                             .exchange = decision.slower * seconds(default_costs_here(tuner).exchange()),
                             .warm = warm_up(tuner, row.key),
                             .rhythm = tuner.calls().at(tuner.classes().of(row.key)).rhythm,
                             .ranks = tuner.size()};
    for (const Trial::Arm& arm : arms) row.arms.push_back(arm.recipe);
    Trial trial(std::move(arms), terms);
    row.agenda = trial.next();
    tuner.trials().insert_or_assign(tuner.classes().of(row.key), std::move(trial));
}

Row judged(Tuner& tuner, const CallClass& calls, const std::vector<double>& reduced) {
    Trial& trial = tuner.trials().at(calls);
    const CallState& state = tuner.calls().at(calls);
    Row row = *tuner.table().find(state.key);
    row.key = state.key;
    trial.set_rhythm(state.rhythm);
    const Trial::Verdict verdict = trial.take(reduced, state.unable, tuner.mail().busy);
    if (verdict == Trial::Verdict::replaced || verdict == Trial::Verdict::confirmed) {
        add_finding(row, trial, verdict);
        if (tuner.own().knows_placement(true, false) && !calls.own_lengths)
            tuner.shared().learned().add(tuner.learned(calls, row));
    }
    row.agenda = trial.next();
    return row;
}

}  // namespace echelon
