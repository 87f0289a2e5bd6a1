// SPDX-License-Identifier: Apache-2.0
#include "tuner/mail.hpp"

#include "core/wire.hpp"
#include "mpi/clock.hpp"
#include "tuner/decide.hpp"
#include "tuner/requests.hpp"
#include "tuner/tell_table.hpp"
#include "tuner/verdict.hpp"
#include "tuner/when_to_decide.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace echelon {

void ask(Tuner& tuner, CallState& calls) {
    if (std::exchange(calls.asks, true)) return;
    calls.grant(CallCounter::for_ever);
    tuner.mail().asked.push_back(tuner.classes().of(calls.key));
    tuner.open_mail();
}

namespace {

/// True if the root may broadcast in a call in which all ranks wait for it alone.
bool may_tell_from_root(Tuner& tuner) {
    return tuner.process().world().job_map() != nullptr && !tuner.together() &&
           tuner.own().knows_placement(true, tuner.machine().has_profile());
}

/// The decision without recipes for which ranks would have to create something together.
CallDecision made_alone(Tuner& tuner, const PlanKey& key, CallDecision decision) {
    std::vector<Trial::Arm>& arms = decision.arms;
    const auto cannot = [&](const Recipe& recipe) {
        return !tuner.own().is_provided(recipe, key) && !tuner.own().can_provide_alone(recipe, key);
    };
    if (cannot(decision.choice.recipe)) {
        decision.choice = {.recipe = {}, .source = Source::built_in};
        std::stable_partition(arms.begin(), arms.end(),
                              [](const Trial::Arm& one) { return one.recipe.kind == Recipe::Kind::native; });
    }
    std::erase_if(arms, [&](const Trial::Arm& one) { return cannot(one.recipe); });
    return decision;
}

/// Rank 0's row for a class that asks: a number of native calls that come first, or a decision and its trial.
Row decided_row(Tuner& tuner, const CallClass& asked, bool together) {
    CallState& state = tuner.calls().at(asked);
    if (asked.own_lengths) state.key.count = state.mean_bytes();
    const PlanKey& key = state.key;
    const bool waits = state.stage != Stage::untried && !tuner.together();
    if (const long later = waits ? further_native_calls(tuner, state) : 0; later > 0)
        return {.key = key, .later = later};
    auto decision = decide_within(tuner, key, waits ? time_to_decide(tuner, state) : unlimited);
    if (!decision) {
        state.begun = true;
        return {.key = key, .later = std::max(further_native_calls(tuner, state), 1L)};
    }
    if (!together) decision = made_alone(tuner, key, std::move(*decision));
    Row row{.key = key, .choice = decision->choice};
    begin_trial(tuner, row, std::move(*decision));
    return row;
}

/// True if a recipe of the row lacks a route for its messages and nothing else.
bool waits_for_route(Tuner& tuner, const Row& row) {
    const auto waits = [&](const Recipe& recipe) {
        return tuner.own().waits_for_told_route(recipe, row.key.collective);
    };
    return waits(row.choice.recipe) || std::ranges::any_of(row.arms, waits);
}

/// Rank 0's message: a bit for numbers that have come, a route, and rows.
std::string message(Tuner& tuner, bool together) {
    Mail& mail = tuner.mail();
    std::vector<Row> rows;
    const bool come = mail.up.under_way() && mail.up.is_complete();
    if (come) {
        std::span<const double> numbers = mail.up.numbers();
        for (const CallClass& calls : mail.on_way) {
            const std::span<const double> own =
                numbers.first(tuner.calls().at(calls).course.numbers().size());
            rows.push_back(judged(tuner, calls, {own.begin(), own.end()}));
            numbers = numbers.subspan(own.size());
        }
        mail.busy = 0;
    }
    // A recipe that is made without the other ranks needs a route.
    std::uint64_t route = together || mail.asked.empty() ? 0 : tuner.take_route();
    tuner.use_route(route);
    for (const CallClass& calls : mail.asked) rows.push_back(decided_row(tuner, calls, together));
    if (together && std::ranges::any_of(rows, [&](const Row& row) { return waits_for_route(tuner, row); }))
        route = tuner.take_route();
    std::string text;
    put_number(text, come ? 1 : 0);
    put_number(text, route);
    return text + to_bytes(rows);
}

/// Takes over rank 0's message. True: it had rows.
bool hear(Tuner& tuner, std::string_view text, bool together) {
    Mail& mail = tuner.mail();
    if (take_number(text) != 0) {
        tuner.process().world().keep(mail.up);
        mail.on_way.clear();
    }
    tuner.use_route(take_number(text));
    std::vector<Row> rows = rows_of(text);
    mail.text.clear();
    tuner.process().world().keep(mail.letter);
    for (Row& row : rows) {
        std::erase(mail.asked, tuner.classes().of(row.key));
        take(tuner, std::move(row), together);
    }
    return !rows.empty();
}

/// Bytes for the next message: each of its rows has some recipes. A longer text takes a second message.
std::size_t room_for(const Mail& mail) {
    return std::min(200 + 400 * (mail.asked.size() + mail.on_way.size()), AsyncBroadcast::usual_room);
}

/// Rank 0's message, on rank 0; other ranks get an empty text. Exchanges the placement if `together`.
std::string own_text(Tuner& tuner, bool together) {
    const bool has_profile = tuner.machine().has_profile();
    // Only a profile needs the places inside nodes.
    if (together && (has_profile || tuner.size() >= rules.least_ranks || may_turn_out_to_share_memory(tuner)))
        (void)tuner.own().placement(true, has_profile);
    if (together) tuner.state().meetings().hold(tuner.mail().asked.size());
    Mail& mail = tuner.mail();
    if (tuner.rank() == 0 && mail.text.empty()) mail.text = message(tuner, together);
    return tuner.rank() == 0 ? mail.text : "";
}

void tell_at_once(Tuner& tuner) {
    hear(tuner, AsyncBroadcast::at_once(own_text(tuner, true), tuner.user(), room_for(tuner.mail())), true);
}

/// One step in a call from a root: the root broadcasts rank 0's message, if it has it. Rank 0 sends it to the
/// other ranks, which may be roots later.
void tell_from_root(Tuner& tuner, int root) {
    Mail& mail = tuner.mail();
    // A first message brings the route for letters. Rank 0 makes it where all ranks hear it in the same call.
    const bool has_route = tuner.own().has_route();
    if (!has_route && root != 0) return;
    const bool is_time = --mail.until <= 0;
    if (tuner.rank() == 0 && mail.text.empty() && (has_route || is_time) &&
        (!mail.asked.empty() || mail.up.is_complete()))
        mail.text = message(tuner, false);
    if (root != 0 && !mail.letter.under_way()) mail.letter.begin(tuner.own().route());
    if (tuner.rank() == 0 && mail.letter.under_way() && !mail.text.empty()) {
        const Seconds began = now();
        mail.letter.send(mail.text);
        mail.busy += now() - began;
    }
    if (!is_time) return;
    std::string text;
    if (tuner.rank() == root) text = root == 0 ? mail.text : mail.letter.text();
    text = AsyncBroadcast::at_once(std::move(text), tuner.user(), room_for(mail), root);
    // Not twice as many: roots in turn would all be passed over but one.
    mail.gap = !text.empty() && hear(tuner, text, false) ? 1 : 2 * mail.gap + 1;
    mail.until = mail.gap;
}

/// Sends the numbers of all classes that are due to rank 0.
void send_numbers(Tuner& tuner) {
    Mail& mail = tuner.mail();
    std::vector<double> minima, sums;
    mail.on_way = std::exchange(mail.due, {});
    // Blocks are summed: their classes come last.
    (void)std::stable_partition(mail.on_way.begin(), mail.on_way.end(),
                                [](const CallClass& one) { return one.waits_for_all(); });
    for (const CallClass& calls : mail.on_way) {
        const std::vector<double> numbers = tuner.calls().at(calls).course.numbers();
        std::vector<double>& all = calls.waits_for_all() ? minima : sums;
        all.insert(all.end(), numbers.begin(), numbers.end());
    }
    mail.up.begin(std::move(minima), sums, tuner.own().route());
}

/// Compares the requests of the ranks, unless this was done. Rank 0 then tells the table of its profile.
/// Collective.
void compare(Tuner& tuner) {
    if (tuner.requests().settled()) return;
    tuner.compare_requests();
    if (!tuner.requests().at_odds() && tuner.machine().has_profile() && !tuner.table().has_told())
        tell_table(tuner);
}

/// Makes the communicators and windows that recipes wait for. Collective.
void provide_wanted(Tuner& tuner) {
    Mail& mail = tuner.mail();
    if (mail.wanted.empty()) return;
    for (const auto& [recipe, key] : std::exchange(mail.wanted, {})) tuner.own().provide(recipe, key);
    tuner.plans().erase_if([](const auto& plan) { return plan.second.choice.source == Source::undecided; });
}

/// No arm could serve, and there is no route for numbers: the classes stay as they are.
void give_up(Tuner& tuner) {
    for (const CallClass& calls : std::exchange(tuner.mail().due, {}))
        tuner.calls().at(calls).stage = Stage::fixed;
}

/// Notes for each class the number of its calls between two synchronising calls.
void note_meeting(Tuner& tuner) {
    for (auto& [calls, state] : tuner.calls()) {
        const long before = std::exchange(state.met, state.made());
        if (++state.meetings > 1 && state.met > before) state.rhythm = state.met - before;
    }
}

/// True if the classes that ask for a trial have shown their rhythm, in which their calls are compared.
bool knows_rhythms(Tuner& tuner) {
    return std::ranges::all_of(tuner.mail().asked, [&](const CallClass& calls) {
        const CallState& state = tuner.calls().at(calls);
        return state.counted == 0 || calls.waits_for_all() || state.rhythm > 0 || state.meetings > 1;
    });
}

void note_open(Tuner& tuner) {
    Mail& mail = tuner.mail();
    mail.open = !tuner.requests().settled() || mail.down.under_way() || mail.up.under_way() ||
                !mail.asked.empty() || !mail.wanted.empty() || !mail.due.empty();
}

}  // namespace

void answer(Tuner& tuner) {
    const MPI_Comm way = tuner.process().world().for_handouts(tuner.user());
    // Calls that were not native first await their decision.
    const bool awaited = std::ranges::any_of(
        tuner.mail().asked, [&](const CallClass& calls) { return tuner.calls().at(calls).counted == 0; });
    if (way == MPI_COMM_NULL || awaited || tuner.together())
        tell_at_once(tuner);
    else
        tuner.mail().down.begin(own_text(tuner, true), way, room_for(tuner.mail()));
    note_open(tuner);
}

void attend(Tuner& tuner, const PlanKey& key, bool together) {
    Mail& mail = tuner.mail();
    if (together) {
        compare(tuner);
        provide_wanted(tuner);
        note_meeting(tuner);
    }
    if (tuner.requests().at_odds()) mail.asked.clear();
    if (tuner.requests().at_odds() || !tuner.requests().settled()) return note_open(tuner);
    const Seconds began = now();
    if (mail.down.under_way()) {
        if (!mail.down.has_had_time() || !together) return;
        hear(tuner, mail.down.end(), together);
    }
    mail.up.step(together);
    if (!mail.up.under_way() && !mail.due.empty())
        tuner.own().has_route() ? send_numbers(tuner) : give_up(tuner);
    mail.busy += now() - began;
    const bool asked = !mail.asked.empty();
    if (together && ((asked && knows_rhythms(tuner)) || (mail.up.under_way() && mail.up.has_had_time()))) {
        answer(tuner);
    } else if (!together && (asked || mail.up.under_way()) && pattern(key.collective) == Pattern::from_root &&
               !key.own_lengths() && may_tell_from_root(tuner)) {  // no rank waits for an empty block
        tell_from_root(tuner, key.root);
    }
    note_open(tuner);
}

void settle(Tuner& tuner) {
    compare(tuner);
    provide_wanted(tuner);
    Mail& mail = tuner.mail();
    if (mail.down.under_way()) hear(tuner, mail.down.end(), true);
    if (tuner.requests().at_odds()) mail.asked.clear();
    if (!mail.asked.empty()) tell_at_once(tuner);
    note_open(tuner);
}

void take(Tuner& tuner, Row row, bool together) {
    const CallClass calls = tuner.classes().of(row.key);
    CallState& state = tuner.calls()[calls];
    state.asks = false;
    const Row* const before = tuner.table().find(row.key);
    const bool same = row.later == 0 && before != nullptr && state.stage != Stage::counting &&
                      before->choice.recipe == row.choice.recipe &&
                      before->choice.source == row.choice.source;
    tuner.plans().erase_if([&](const auto& plan) {
        if (tuner.classes().of(plan.first) != calls) return false;
        if (plan.first.variant.kind == Variant::Kind::trial)
            return before == nullptr || before->arms != row.arms;
        return plan.first.variant.kind != Variant::Kind::override &&
               !(same && plan.second.choice.source == row.choice.source);
    });
    if (row.later > 0) {
        state.stage = Stage::counting;
        state.grant(row.later + 1);
        state.counted += row.later;
        return;
    }
    const bool settled = row.agenda.empty() || row.agenda.settled;
    state.stage = settled ? Stage::fixed : Stage::trying;
    state.course = Course(row.agenda);
    state.grant(row.agenda.empty() ? CallCounter::for_ever : 0);
    state.timed = false;
    const auto provide = [&](const Recipe& recipe) {
        if (together)
            tuner.own().provide(recipe, row.key, PrivateCommunicator::Purpose::trial);
        else
            (void)tuner.own().provide_alone(recipe, row.key);
    };
    // Calls that synchronise provide for themselves.
    if (!row.key.synchronises(tuner.size())) {
        provide(row.choice.recipe);
        if (!row.agenda.empty()) provide(row.arms[row.agenda.challenger]);
    }
    tuner.table().put(std::move(row));
}

}  // namespace echelon
