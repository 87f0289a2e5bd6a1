// SPDX-License-Identifier: Apache-2.0
#include "cache/state.hpp"

#include "cache/info_keys.hpp"
#include "groups/layout.hpp"
#include "mpi/broadcast_text.hpp"

#include <algorithm>
#include <array>

namespace echelon {

State* State::known(MPI_Comm comm) {
    if (State* const recent = Recent::find(comm)) return recent;
    Process* const process = Process::instance(comm);
    if (process == nullptr || comm == MPI_COMM_NULL) return nullptr;
    return process->directory().find(comm);
}

State* State::of(MPI_Comm comm) {
    if (State* const known_one = known(comm)) return known_one;
    Process* const process = Process::instance(comm);
    if (process == nullptr || !is_communicator(comm)) return nullptr;
    auto made = std::unique_ptr<State>(new State(comm, *process));
    made->attach(made->keys_);
    return made.release();
}

void State::attach(const Settings* keys) {
    keys_ = settled_ ? keys : nullptr;
    check(PMPI_Comm_set_attr(user_, process_.keyval(), this), "MPI_Comm_set_attr");
    process_.directory().enter(user_, this);
    detached_ = false;
}

void State::detach() {
    detached_ = true;
    process_.directory().remove(user_);
    check(PMPI_Comm_delete_attr(user_, process_.keyval()), "MPI_Comm_delete_attr");
}

State::State(MPI_Comm user, Process& process) : user_(user), process_(process) {
    int is_inter = 0;
    check(PMPI_Comm_test_inter(user, &is_inter), "MPI_Comm_test_inter");
    if (is_inter != 0)
        unserved_ = Bypass::intercommunicator;
    else if (size() == 1)
        unserved_ = Bypass::one_rank;
    else if (!process.complete())
        unserved_ = Bypass::absent;
    else if (!within_world(user))
        unserved_ = Bypass::another_world;  // others may have no Echelon, or ask it for something else
    if (serves()) look_up();
    if (!serves() && !process_.counts()) plans_.set_all_native();
    process_.enlist(this);
}

void State::look_up() {
    const Roll* const roll = process_.roll();
    if (roll == nullptr) {
        agenda_.open();
        return;
    }
    at_odds_ = settings_differ();
    own_.learn(*roll);
    profile_ = process_.profile()->profile;
    settled_ = at_odds_ || InfoKeys::of(process_, user_) == nullptr;
    agenda_.done(settled_);
    if (at_odds_) say_at_odds();
}

bool State::settings_differ() const {
    const Roll* const roll = process_.roll();
    return roll != nullptr && !roll->all_alike() && !roll->alike(ranks_in_world(user_));
}

void State::say_at_odds() {
    process_.say_once(
        rank() == 0,
        "the ranks of a communicator have different ECHELON_ settings or info keys; it stays with the "
        "native collectives");
}

void State::settle() {
    if (settled_) return;
    clear_plans();
    settled_ = true;
    keys_ = InfoKeys::of(process_, user_);
    meet(0);
    const std::uint64_t fingerprint =
        process_.settings().fingerprint() * 3 + (keys_ != nullptr ? keys_->fingerprint() : 0);
    // One rank reads the file. Who has not heard of the profile yet agrees with everything.
    // Keys are below 2^62: MPICH 4.0 takes the minimum of unsigned numbers as if they had a sign.
    constexpr std::uint64_t anything = std::uint64_t(1) << 62;
    const auto own = rank() == 0 ? process_.read_profile() : process_.profile();
    const std::array<std::uint64_t, 5> mine{fingerprint, ~fingerprint, own ? own->key : anything,
                                            own ? anything - own->key : anything, own ? 1u : 0u};
    std::array<std::uint64_t, 5> least{};
    check(PMPI_Allreduce(mine.data(), least.data(), int(mine.size()), MPI_UINT64_T, MPI_MIN, user_),
          "MPI_Allreduce");
    at_odds_ = least[0] != ~least[1];
    if (at_odds_) say_at_odds();
    const bool one_profile = least[2] == anything - least[3];
    if (!one_profile)
        process_.say_once(rank() == 0,
                          "the ranks of a communicator have read different profiles; it goes without one");
    const auto known = one_profile && least[4] == 0 ? share_profile(own) : own;
    if (profile_ == nullptr && one_profile) profile_ = known->profile;
}

std::shared_ptr<const KnownProfile> State::share_profile(const std::shared_ptr<const KnownProfile>& own) {
    const std::string told = broadcast(rank() == 0 ? own->told() : "", user_);
    return own != nullptr ? own : process_.take_profile(KnownProfile::heard(told));
}

void State::set_profile(std::shared_ptr<const Profile> profile, bool brief) {
    profile_ = std::move(profile);
    brief_ = brief;
    advisor_.reset();
    contests_.forget_findings();
    clear_plans();
}

Advisor* State::advisor() {
    if (profile_ == nullptr) return nullptr;
    if (advisor_ != nullptr) return advisor_.get();
    const bool native_parts = process_.budget().most() > 0;
    // A brief look does not know a machine so well that more would be worth its price.
    const Width width = brief_ ? Width::few : Width::best;
    advisor_ = std::make_unique<Advisor>(
        process_.deciders().of(profile_, own_.placement(true, true), native_parts, width));
    return advisor_.get();
}

void State::keys_changed() {
    // No key mends settings that differ. Ranks that met this communicator before must find what the others will.
    if (!serves() || settings_differ()) return;
    settled_ = false;
    agenda_.open();
    clear_plans();
}

Plan& State::postpone(const PlanKey& key) {
    agenda_.decide(key);
    return make_plan(key, {.recipe = {}, .source = Source::undecided});
}

void State::note_settlement(const PlanKey& key, Contest& contest) {
    contests_.note(key, contest);
    if (contest.waits) agenda_.open();
}

std::vector<PlanKey> State::take_business() {
    plans_.erase_if([](const auto& plan) { return plan.second.choice.source == Source::undecided; });
    agenda_.done(settled_);
    return agenda_.take_undecided();
}

State::~State() {
    if (process_.closed()) return;
    if (!detached_) process_.directory().remove(user_);
    process_.strike_off(this);
    if (process_.counts()) process_.keep(record(false));
    close();
}

CommunicatorRecord State::record(bool mpi_runs) const {
    CommunicatorRecord record{.name = user_ == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "",
                              .ranks = size(),
                              .tally = tally_,
                              .splits = own_.split_counters(),
                              .plans_made = plans_.made(),
                              .plan_hits = plans_.hits()};
    char text[MPI_MAX_OBJECT_NAME];
    int length = 0;
    if (mpi_runs && PMPI_Comm_get_name(user_, text, &length) == MPI_SUCCESS)
        record.name.assign(text, std::size_t(length));
    return record;
}

void State::close() {
    plans_.clear();
    own_.close();
}

Plan& State::make_plan(const PlanKey& key, Choice choice) {
    plans_.prepare_for_one();
    const Placement& locations = own_.placement(choice.recipe);
    Plan plan{.choice = std::move(choice), .phase = {}};
    plan.phase = resolve(plan.choice.recipe, key.collective, locations, rank(), key.call().operation);
    if (!plan.native()) {
        const bool tries = plan.choice.source == Source::trial && override_ == nullptr;
        own_.provide(plan.choice.recipe, plan.phase, tries ? OwnSide::Purpose::trial : OwnSide::Purpose::use);
        prepare(plan, key.call(), own_.team(), own_.memory(), own_.window_shape());
    }
    if (process_.counts() && override_ == nullptr)
        plan.counts =
            &tally_.row(key.collective, key.count * key.element_size, to_string(plan.choice.recipe),
                        plan.choice.source, plan.choice.refusal, key.variant.kind != Variant::Kind::chosen);
    if (Tracer* const tracer = process_.tracer(); tracer != nullptr && override_ == nullptr)
        plan.kind = tracer->kind({.tracer = tracer,
                                  .collective = key.collective,
                                  .recipe = to_string(plan.choice.recipe),
                                  .source = plan.choice.source,
                                  .bytes = key.count * key.element_size,
                                  .ranks = size()});
    return plans_.put(key, std::move(plan));
}

void State::set_trials(Collective collective, ByteRange sizes, int percent) {
    contests_.set_percent(collective, sizes, percent);
    clear_plans();
}

void State::settle_contests() {
    const auto least = [this](std::vector<double>& numbers) {
        meet(numbers.size());
        check(PMPI_Allreduce(MPI_IN_PLACE, numbers.data(), int(numbers.size()), MPI_DOUBLE, MPI_MIN, user_),
              "MPI_Allreduce");
    };
    std::vector<CallClass> found = contests_.settle(least);
    if (rank() == 0 && own_.knows_placement(true, false)) {
        const std::string layout = layout_of(own_.placement(true, false));
        for (const CallClass& calls : found)
            process_.learned().add(learned(calls, *contests_.finding(calls), size(), layout));
    }
    for (const CallClass& calls : found)
        plans_.erase_if([&](const auto& plan) {
            return CallClass::of(plan.first) == calls &&
                   (plan.first.variant == Variant{} || contests_.find(calls) == nullptr);
        });
}

void State::clear_plans() {
    plans_.clear();
    contests_.end();
    agenda_.forget_wanted();
    own_.forget_lacks();
    told_.clear();
    plans_.look_again();
}

}  // namespace echelon
