// SPDX-License-Identifier: Apache-2.0
#include "cache/state.hpp"

#include "cache/info_keys.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/open_window.hpp"
#include "mpi/seats.hpp"

#include <algorithm>
#include <array>

namespace echelon {
namespace {

/// Plans of one communicator beyond which all are forgotten; all ranks forget alike, having made the same
/// calls.
constexpr std::size_t most_plans = 4096;

}  // namespace

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

State::State(MPI_Comm user, Process& process)
    : user_(user), process_(process), rank_(rank_of(user)), size_(size_of(user)) {
    int is_inter = 0;
    check(PMPI_Comm_test_inter(user, &is_inter), "MPI_Comm_test_inter");
    if (is_inter != 0)
        unserved_ = Bypass::intercommunicator;
    else if (size_ == 1)
        unserved_ = Bypass::one_rank;
    else if (!process.complete())
        unserved_ = Bypass::absent;
    else if (!within_world(user))
        unserved_ = Bypass::another_world;  // others may have no Echelon, or ask it for something else
    if (serves()) look_up();
    if (!serves() && !process_.counts()) always_native_ = ~0u;
    process_.enlist(this);
}

void State::look_up() {
    const Roll* const roll = process_.roll();
    if (roll == nullptr) {
        business_ = true;
        return;
    }
    at_odds_ = settings_differ();
    knows_nodes_ = true;
    knows_topology_ = roll->knows_topology();
    profile_ = process_.profile()->profile;
    settled_ = at_odds_ || InfoKeys::of(process_, user_) == nullptr;
    business_ = !settled_;
    if (at_odds_) say_at_odds();
}

bool State::settings_differ() const {
    const Roll* const roll = process_.roll();
    return roll != nullptr && !roll->all_alike() && !roll->alike(ranks_in_world(user_));
}

void State::say_at_odds() {
    process_.say_once(
        rank_ == 0,
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
    const auto own = rank_ == 0 ? process_.read_profile() : process_.profile();
    const std::array<std::uint64_t, 5> mine{fingerprint, ~fingerprint, own ? own->key : anything,
                                            own ? anything - own->key : anything, own ? 1u : 0u};
    std::array<std::uint64_t, 5> least{};
    check(PMPI_Allreduce(mine.data(), least.data(), int(mine.size()), MPI_UINT64_T, MPI_MIN, user_),
          "MPI_Allreduce");
    at_odds_ = least[0] != ~least[1];
    if (at_odds_) say_at_odds();
    const bool one_profile = least[2] == anything - least[3];
    if (!one_profile)
        process_.say_once(rank_ == 0,
                          "the ranks of a communicator have read different profiles; it goes without one");
    const auto known = one_profile && least[4] == 0 ? share_profile(own) : own;
    if (profile_ == nullptr && one_profile) profile_ = known->profile;
}

std::shared_ptr<const KnownProfile> State::share_profile(const std::shared_ptr<const KnownProfile>& own) {
    const std::string told = broadcast(rank_ == 0 ? own->told() : "", user_);
    return own != nullptr ? own : process_.take_profile(KnownProfile::heard(told));
}

void State::set_profile(std::shared_ptr<const Profile> profile) {
    profile_ = std::move(profile);
    advisor_.reset();
    contests_.forget_findings();
    clear_plans();
}

Advisor* State::advisor() {
    if (profile_ == nullptr) return nullptr;
    if (advisor_ != nullptr) return advisor_.get();
    const bool native_parts = process_.most_communicators() > 0;
    advisor_ =
        std::make_unique<Advisor>(process_.deciders().of(profile_, placement(true, true), native_parts));
    return advisor_.get();
}

void State::keys_changed() {
    // No key mends settings that differ. Ranks that met this communicator before must find what the others will.
    if (!serves() || settings_differ()) return;
    settled_ = false;
    business_ = true;
    clear_plans();
}

const State::Decision* State::told(const PlanKey& key) {
    const CallClass calls = CallClass::of(key);
    if (const auto found = told_.find(calls); found != told_.end()) return &found->second;
    auto near = roughly_.upper_bound(calls);
    if (near == roughly_.begin()) return nullptr;
    const CallClass& of = (--near)->first;
    if (of.collective != calls.collective || of.in_order != calls.in_order || of.exact != calls.exact ||
        calls.size / 2 >= of.size)
        return nullptr;
    if (!std::exchange(table_was_read_, true)) ++process_.tables().read;
    return &near->second;
}

Plan& State::postpone(const PlanKey& key) {
    undecided_.try_emplace(CallClass::of(key), key);
    business_ = true;
    look_again();
    return make_plan(key, {.recipe = {}, .source = Source::undecided});
}

void State::want(const Recipe& recipe, const PlanKey& key) {
    const auto is_it = [&](const auto& one) {
        return one.first == recipe && CallClass::of(one.second) == CallClass::of(key);
    };
    if (std::any_of(wanted_.begin(), wanted_.end(), is_it)) return;
    wanted_.emplace_back(recipe, key);
    business_ = true;
    look_again();
}

void State::note_settlement(const PlanKey& key, Contest& contest) {
    contests_.note(key, contest);
    if (!contest.waits) return;
    business_ = true;
    look_again();
}

std::vector<PlanKey> State::take_business() {
    std::vector<PlanKey> undecided;
    for (const auto& [calls, key] : std::exchange(undecided_, {})) undecided.push_back(key);
    plans_.erase_if([](const auto& plan) { return plan.second.choice.source == Source::undecided; });
    business_ = !settled_;
    return undecided;
}

State::~State() {
    if (process_.closed()) return;
    if (!detached_) process_.directory().remove(user_);
    process_.strike_off(this);
    if (process_.counts()) process_.keep(record(false));
    close();
}

CommunicatorRecord State::record(bool mpi_runs) const {
    CommunicatorRecord record{.name = {},
                              .ranks = size_,
                              .tally = tally_,
                              .splits = split_counters_,
                              .plans_made = plan_misses_,
                              .plan_hits = plan_hits_};
    char text[MPI_MAX_OBJECT_NAME];
    int length = 0;
    if (mpi_runs && PMPI_Comm_get_name(user_, text, &length) == MPI_SUCCESS)
        record.name.assign(text, std::size_t(length));
    return record;
}

void State::close() {
    plans_.clear();
    if (Channel* const channel = process_.channel(); channel != nullptr && whole_ != nullptr)
        channel->close(whole_->site.route());
    whole_.reset();
    hold(0, 0);
}

void State::hold(int wholes, int parts) {
    process_.hold(wholes - wholes_held_, parts - parts_held_);
    wholes_held_ = wholes;
    parts_held_ = parts;
}

bool State::all_agree(bool yes, std::uint64_t common, Place place) {
    meetings_(common, place);
    int own = yes ? 1 : 0, least = 0;
    check(PMPI_Allreduce(&own, &least, 1, MPI_INT, MPI_MIN, user_), "MPI_Allreduce");
    return least != 0;
}

bool State::ready() {
    if (whole_ != nullptr) return true;
    if (Channel* const channel = process_.channel()) return open_channel(*channel);
    if (!all_agree(process_.communicators() + 1 <= process_.most_communicators(), 0)) return false;
    const OwnWorld* const world = process_.own_world();
    Comm own = world != nullptr ? world->copy(user_) : Comm::try_split(user_, 0, rank_);
    if (!all_agree(own.get() != MPI_COMM_NULL, 0)) return false;
    const Route route{.comm = own.get(), .rank = rank_, .size = size_};
    whole_ = std::make_unique<Whole>(std::move(own), route, split_counters_);
    whole_->site.tell(process_.tracer());
    hold(1, 0);
    return true;
}

bool State::may_share_memory() {
    return memory_is_shared && !no_windows_ && knows_placement(true, false) &&
           placement(true, false).node_count() == 1;
}

bool State::lacks_windows(const Recipe& recipe, Collective collective) const {
    return no_windows_ && needs_of(recipe, collective, placement_).windows_beyond({});
}

int State::missing_communicators(const Recipe& recipe, Collective collective) const {
    if (recipe.kind == Recipe::Kind::native || process_.channel() != nullptr) return 0;
    return (whole_ == nullptr ? 1 : 0) + 2 * needs_of(recipe, collective, placement_).beyond(divided_);
}

bool State::open_channel(Channel& channel) {
    const std::optional<Route> route = channel.open(user_);
    if (!route) return false;
    whole_ = std::make_unique<Whole>(Comm(), *route, split_counters_);
    whole_->site.tell(process_.tracer());
    return true;
}

bool State::knows_placement(bool nodes, bool topology) const {
    return (knows_nodes_ || !nodes) && (knows_topology_ || !topology);
}

const Placement& State::placement(bool nodes, bool topology) {
    if (!knows_placement(nodes, topology)) {
        meet(topology ? 1 : 0);
        placement_ = gather_placement(user_, process_.node(user_), topology);
        knows_nodes_ = true;
        knows_topology_ = topology;
    } else if (placement_.size() == 0) {
        const Roll* const roll = process_.roll();
        placement_ = roll != nullptr ? roll->placement(ranks_in_world(user_))
                                     : Placement::from(std::vector<Seat>(std::size_t(size_)));
    }
    return placement_;
}

bool State::afford(const Needs& needs) {
    // Parts get a quarter. The rest stays for the wholes: without its own, a communicator could not be served
    // at all.
    const int most = process_.most_communicators();
    if (most == 0) return false;
    for (;;) {
        const int more = 2 * needs.beyond(divided_);
        if (all_agree(process_.communicators() + more <= most && process_.divided() + more <= most / 4,
                      std::uint64_t(more)))
            return true;
        const auto dropped = whole_->site.drop_oldest(needs);
        if (!dropped) return false;
        plans_.clear();  // they point into what was dropped
        divided_.remove(*dropped);
        complete_.remove(*dropped);
        windows_.remove(*dropped);
        hold(1, whole_->site.communicators());
    }
}

void State::make_room(const Recipe& recipe, const Phase& phase) {
    const Needs needs = needs_of(recipe, phase.collective, placement_);
    const std::string limit =
        " (ECHELON_COMMUNICATORS=" + std::to_string(process_.most_communicators()) + ")";
    if (!ready()) throw Error("no communicator is left for Echelon" + limit);
    MpiSite& site = whole_->site;
    site.set_placement(placement_);
    if (needs.beyond(divided_) > 0) {
        const bool enough = afford(needs);
        meet(node_key(to_string(recipe)));
        site.divide(phase, enough ? MpiSite::Parts::communicators : MpiSite::Parts::translated);
        divided_.add(needs);
        hold(1, site.communicators());
        // The library may have had fewer communicators left than we are allowed.
        if (enough && all_agree(site.complete(phase), node_key(to_string(recipe)))) complete_.add(needs);
    }
    if (needs.windows_beyond(windows_) && !no_windows_) open_windows(needs);
    if (needs.native && (process_.channel() != nullptr || needs.beyond(complete_) > 0))
        throw Error(to_string(recipe) + ": its native phases need communicators, and none are left" + limit);
}

void State::open_windows(const Needs& needs) {
    MpiSite& site = whole_->site;
    meet(1);
    site.open_windows(needs);
    windows_.add(needs);
    if (all_agree(site.windows_open(needs), 1)) return;
    no_windows_ = true;
    plans_.clear();  // they count on those that were there
    site.close_windows();
}

bool State::is_provided(const Recipe& recipe, const PlanKey& key) {
    if (recipe.kind == Recipe::Kind::native) return true;
    if (!knows_placement(needs_placement(recipe), needs_topology(recipe))) return false;
    try {
        (void)resolve(recipe, key.collective, placement(recipe), rank_, key.call().operation);
        if (whole_ == nullptr) return false;
        const Needs needs = needs_of(recipe, key.collective, placement_);
        return needs.beyond(divided_) == 0 && (no_windows_ || !needs.windows_beyond(windows_));
    } catch (const Error&) {
        return true;
    }
}

void State::provide(const Recipe& recipe, const PlanKey& key) {
    if (recipe.kind == Recipe::Kind::native) return;
    const auto what = std::pair(key.collective, to_string(recipe));
    lacks_.erase(what);
    const Placement& seats = placement(recipe);
    std::string lack;
    Phase phase{.collective = key.collective};
    try {
        phase = resolve(recipe, key.collective, seats, rank_, key.call().operation);
    } catch (const Error&) {
        return;  // it can never serve; whoever calls is told so
    }
    try {
        make_room(recipe, phase);
    } catch (const MpiError&) {
        throw;
    } catch (const Error& error) {
        lack = error.what();
    }
    if (!lack.empty()) lacks_.emplace(what, lack);
}

Plan& State::make_plan(const PlanKey& key, Choice choice) {
    ++plan_misses_;
    if (plans_.all().size() >= most_plans) plans_.clear();
    const Placement& seats = placement(choice.recipe);
    Plan plan{.choice = std::move(choice), .phase = {}};
    plan.phase = resolve(plan.choice.recipe, key.collective, seats, rank_, key.call().operation);
    if (!plan.native()) {
        make_room(plan.choice.recipe, plan.phase);
        prepare(plan, key.call(), whole_->site, whole_->memory, window_shape());
    }
    if (process_.counts() && rehearsal_ == nullptr)
        plan.counts = &tally_.row(key.collective, key.count * key.element_size, to_string(plan.choice.recipe),
                                  plan.choice.source, plan.choice.refusal, key.variant != 0);
    if (Tracer* const tracer = process_.tracer(); tracer != nullptr && rehearsal_ == nullptr)
        plan.kind = tracer->kind({.tracer = tracer,
                                  .collective = key.collective,
                                  .recipe = to_string(plan.choice.recipe),
                                  .source = plan.choice.source,
                                  .bytes = key.count * key.element_size,
                                  .ranks = size_});
    return plans_.put(key, std::move(plan));
}

void State::set_trials(Collective collective, ByteRange sizes, int percent) {
    contests_.set_percent(collective, sizes, percent);
    clear_plans();
}

std::vector<CallClass> State::settle_contests() {
    const auto least = [this](std::vector<double>& numbers) {
        meet(numbers.size());
        check(PMPI_Allreduce(MPI_IN_PLACE, numbers.data(), int(numbers.size()), MPI_DOUBLE, MPI_MIN, user_),
              "MPI_Allreduce");
    };
    std::vector<CallClass> found = contests_.settle(least);
    if (rank_ == 0 && knows_placement(true, false)) {
        const std::string layout = layout_of(placement(true, false));
        for (const CallClass& calls : found)
            process_.learned().add(learned(calls, *contests_.finding(calls), size_, layout));
    }
    for (const CallClass& calls : found)
        plans_.erase_if([&](const auto& plan) {
            return CallClass::of(plan.first) == calls &&
                   (plan.first.variant == 0 || contests_.find(calls) == nullptr);
        });
    return found;
}

void State::clear_plans() {
    plans_.clear();
    contests_.end();
    wanted_.clear();
    lacks_.clear();
    told_.clear();
    roughly_.clear();
    look_again();
}

}  // namespace echelon
