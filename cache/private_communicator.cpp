// SPDX-License-Identifier: Apache-2.0
#include "cache/private_communicator.hpp"

#include "mpi/agree.hpp"
#include "mpi/gather_placement.hpp"
#include "mpi/open_window.hpp"
#include "mpi/patient_calls.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace echelon {

PrivateCommunicator::PrivateCommunicator(MPI_Comm user, Process& process, Meetings& meetings,
                                         PlanTable& plans)
    : user_(user),
      process_(process),
      meetings_(meetings),
      plans_(plans),
      rank_(rank_of(user)),
      size_(size_of(user)) {}

TagRange PrivateCommunicator::take_tags(int count) {
    int& tag = whole_->next_tag;
    if (tag + count > Route::tags) tag = Route::strands;
    const int first = std::exchange(tag, tag + count);
    return {whole_->team.route().first_tag + first, count};
}

PersistentTags PrivateCommunicator::take_persistent_tags(int count) {
    if (persistent_ == nullptr || persistent_->next_tag + count > PersistentRoute::tags) {
        persistent_.reset();
        Comm made = try_comm();
        if (made.get() == MPI_COMM_NULL) return {};
        Budget& budget = process_.budget();
        budget.hold(1);
        const Route route{.comm = made.get(), .rank = rank_, .size = size_};
        persistent_.reset(new PersistentRoute{std::move(made), route, persistent_user_},
                          [&budget](const PersistentRoute* one) {
                              delete one;
                              budget.hold(-1);
                          });
    }
    return {persistent_, {std::exchange(persistent_->next_tag, persistent_->next_tag + count), count}};
}

void PrivateCommunicator::finish_pending_calls() {
    if (whole_ != nullptr) PendingCalls::finish(route());
}

void PrivateCommunicator::close() {
    finish_pending_calls();
    if (Channel* const channel = process_.world().channel(); channel != nullptr && whole_ != nullptr)
        channel->close(whole_->team.route());
    whole_.reset();
    PendingCalls::forget(*persistent_user_);
    persistent_.reset();
    hold(0, 0);
}

void PrivateCommunicator::learn(const JobMap& job_map) {
    knows_nodes_ = true;
    knows_topology_ = job_map.knows_topology();
    if (const OwnWorld* const world = process_.world().own_world();
        world != nullptr && user_ == MPI_COMM_WORLD) {
        make_whole(Comm(), world->route());
        hold(1, 0);
    }
}

void PrivateCommunicator::hold(int wholes, int parts) {
    process_.budget().hold(wholes - wholes_held_, parts - parts_held_);
    wholes_held_ = wholes;
    parts_held_ = parts;
}

bool PrivateCommunicator::all_agree(bool yes, std::uint64_t common, Place place) {
    meetings_.hold(common, place);
    return all_say(yes, user_);
}

void PrivateCommunicator::take_route(const Route& route) {
    make_whole(Comm(), route);
    whole_->team.set_placement(placement(true, false));
    route_was_told_ = true;
}

void PrivateCommunicator::leave_told_route(Comm own, const Route& route) {
    finish_pending_calls();  // all ranks have started them, and are in this call
    plans_.clear();          // they refer to the old route's team
    const std::unique_ptr<Whole> told = std::move(whole_);
    make_whole(std::move(own), route);
    whole_->team.set_placement(placement_);
    whole_->team.divide_like(told->team);
    route_was_told_ = false;
}

Comm PrivateCommunicator::try_comm() {
    if (!all_agree(process_.budget().has_room_for(1), 0)) return {};
    const OwnWorld* const maker = process_.world().maker();
    Comm own = maker != nullptr ? maker->copy(user_) : Comm::try_split(user_, 0, rank_);
    return all_agree(own.get() != MPI_COMM_NULL, 0) ? std::move(own) : Comm();
}

bool PrivateCommunicator::ready() {
    if (whole_ != nullptr && !route_was_told_) return true;
    if (Channel* const channel = process_.world().channel()) return open_channel(*channel);
    Comm own = try_comm();
    if (own.get() == MPI_COMM_NULL) return false;
    const Route route{.comm = own.get(), .rank = rank_, .size = size_};
    if (route_was_told_)
        leave_told_route(std::move(own), route);
    else
        make_whole(std::move(own), route);
    hold(1, 0);
    return true;
}

void PrivateCommunicator::make_whole(Comm own, const Route& route) {
    whole_ = std::make_unique<Whole>(std::move(own), route, split_counters_);
    whole_->team.tell(process_.reporter().tracer());
}

bool PrivateCommunicator::may_have_windows() const {
    return memory_is_shared && process_.settings().window > 0 && !no_windows_;
}

bool PrivateCommunicator::may_share_memory() {
    return may_have_windows() && knows_placement(true, false) && placement(true, false).node_count() == 1;
}

bool PrivateCommunicator::lacks_windows(const Recipe& recipe, Collective collective) const {
    return no_windows_ && needs_of(recipe, collective, placement_).windows_beyond({});
}

int PrivateCommunicator::missing_communicators(const Recipe& recipe, Collective collective) const {
    if (recipe.kind == Recipe::Kind::native || process_.world().channel() != nullptr) return 0;
    const Needs needs = needs_of(recipe, collective, placement_);
    const bool has_way = whole_ != nullptr && (!route_was_told_ || takes_messages_alone(needs));
    return (has_way || waits_for_told_route(recipe, collective) ? 0 : 1) +
           (needs.native ? 2 * needs.beyond(complete_) : 0);
}

bool PrivateCommunicator::waits_for_told_route(const Recipe& recipe, Collective collective) const {
    const ToldRoutes* const routes = process_.world().told_routes();
    return recipe.kind != Recipe::Kind::native && whole_ == nullptr && routes != nullptr &&
           routes->has_some() && takes_messages_alone(needs_of(recipe, collective, placement_));
}

bool PrivateCommunicator::open_channel(Channel& channel) {
    const std::optional<Route> route = channel.open(user_);
    if (!route) return false;
    make_whole(Comm(), *route);
    return true;
}

bool PrivateCommunicator::knows_placement(bool nodes, bool topology) const {
    return (knows_nodes_ || !nodes) && (knows_topology_ || !topology);
}

const Placement& PrivateCommunicator::placement(bool nodes, bool topology) {
    if (!knows_placement(nodes, topology)) {
        meetings_.hold(topology ? 1 : 0);
        placement_ =
            gather_placement(user_, process_.world().node(user_), process_.world().region(), topology);
        knows_nodes_ = true;
        knows_topology_ = topology;
    } else if (placement_.size() == 0) {
        const JobMap* const job_map = process_.world().job_map();
        placement_ = job_map != nullptr ? job_map->placement(ranks_in_world(user_))
                                        : Placement::from(std::vector<Location>(std::size_t(size_)));
    }
    return placement_;
}

void PrivateCommunicator::set_regions(const Placement& placement) {
    if (divided_.divisions.empty()) placement_ = placement;
}

void PrivateCommunicator::renew_regions() {
    if (!knows_nodes_ || !divided_.divisions.empty()) return;
    knows_nodes_ = false;
    (void)placement(true, knows_topology_);
}

bool PrivateCommunicator::afford(const Needs& needs) {
    if (process_.budget().most() == 0) return false;
    for (;;) {
        const int more = 2 * needs.beyond(divided_);
        if (all_agree(process_.budget().has_room_for(0, more), std::uint64_t(more))) return true;
        const auto dropped = whole_->team.drop_oldest(needs);
        if (!dropped) return false;
        plans_.clear();  // they refer to the dropped division
        forget(*dropped);
    }
}

void PrivateCommunicator::forget(const Groups& dropped) {
    for (Needs* const made : {&divided_, &complete_, &tried_, &windows_}) made->remove(dropped);
    hold(wholes_held_, whole_->team.communicators());
}

bool PrivateCommunicator::outgrown(const Needs& needs) const {
    return needs.native && process_.world().channel() == nullptr && needs.beyond(complete_) > 0 &&
           std::ranges::any_of(needs.divisions,
                               [&](const NeededDivision& one) { return tried_.divides_by(one.groups); });
}

void PrivateCommunicator::drop_tried(const Needs& needs) {
    plans_.clear();  // they refer to the dropped divisions
    for (const NeededDivision& one : needs.divisions)
        if (tried_.divides_by(one.groups)) {
            whole_->team.drop(one.groups);
            forget(one.groups);
        }
}

bool PrivateCommunicator::has(const Needs& needs) const {
    return whole_ != nullptr && needs.beyond(divided_) == 0 && !outgrown(needs) &&
           (no_windows_ || !needs.windows_beyond(windows_));
}

void PrivateCommunicator::provide(const Recipe& recipe, const Phase& phase, Purpose purpose) {
    const Needs needs = needs_of(recipe, phase.collective, placement_);
    const std::string limit = " (ECHELON_COMMUNICATORS=" + std::to_string(process_.budget().most()) + ")";
    if (!has(needs)) {
        const bool goes_on = route_was_told_ && takes_messages_alone(needs);
        if (!goes_on && !ready()) throw Error("no communicator is left for Echelon" + limit);
        make(recipe, phase, purpose, needs);
    }
    if (needs.native && (process_.world().channel() != nullptr || needs.beyond(complete_) > 0))
        throw Error(to_string(recipe) + ": its native phases need communicators, and none are left" + limit);
}

void PrivateCommunicator::make(const Recipe& recipe, const Phase& phase, Purpose purpose,
                               const Needs& needs) {
    MpiTeam& team = whole_->team;
    team.set_placement(placement_);
    if (outgrown(needs)) drop_tried(needs);
    if (needs.beyond(divided_) > 0) {
        const bool tried = (purpose == Purpose::trial || route_was_told_) && !needs.native;
        const bool enough = !tried && afford(needs);
        if (tried) tried_.add(needs);
        meetings_.hold(node_key(to_string(recipe)));
        team.divide(phase, enough ? MpiTeam::Parts::communicators : MpiTeam::Parts::translated);
        divided_.add(needs);
        hold(wholes_held_, team.communicators());
        // The library may have fewer communicators left than the budget.
        if (enough && all_agree(team.complete(phase), node_key(to_string(recipe)))) complete_.add(needs);
    }
    if (needs.windows_beyond(windows_) && !no_windows_) open_windows(needs);
}

bool PrivateCommunicator::can_provide_alone(const Recipe& recipe, const PlanKey& key) {
    if (recipe.kind == Recipe::Kind::native) return true;
    if (!has_route() || !knows_placement(needs_placement(recipe), needs_topology(recipe))) return false;
    try {
        (void)resolve(recipe, key.collective, placement(recipe), rank_, key.call().operation);
    } catch (const Error&) {
        return false;
    }
    return takes_messages_alone(needs_of(recipe, key.collective, placement_));
}

bool PrivateCommunicator::provide_alone(const Recipe& recipe, const PlanKey& key) {
    if (!can_provide_alone(recipe, key)) return false;
    if (is_provided(recipe, key)) return true;
    const Needs needs = needs_of(recipe, key.collective, placement_);
    MpiTeam& team = whole_->team;
    team.set_placement(placement_);
    tried_.add(needs);
    team.divide(resolve(recipe, key.collective, placement_, rank_, key.call().operation),
                MpiTeam::Parts::translated);
    divided_.add(needs);
    return true;
}

void PrivateCommunicator::open_windows(const Needs& needs) {
    MpiTeam& team = whole_->team;
    meetings_.hold(1);
    team.open_windows(needs, process_.boards());
    windows_.add(needs);
    constexpr auto most = std::int64_t(most_bytes);
    const bool reads = process_.settings().expose_from < most_bytes && team.reaches_peers();
    // Minima over the ranks: 0 if one has no window; `most` less the largest expose_from, 0 if one cannot
    // read.
    std::array<std::int64_t, 2> least{team.windows_open(needs) ? 1 : 0,
                                      reads ? most - std::int64_t(process_.settings().expose_from) : 0};
    allreduce_patiently(least.data(), int(least.size()), MPI_INT64_T, MPI_MIN, user_);
    no_windows_ = least[0] == 0;
    const Bytes expose_from = least[1] == 0 ? WindowShape::never : Bytes(most - least[1]);
    if (no_windows_ || expose_from != std::exchange(expose_from_, expose_from))
        plans_.clear();  // they rely on the windows
    if (no_windows_)
        team.close_windows();
    else
        team.expose_from(expose_from_);
}

bool PrivateCommunicator::is_provided(const Recipe& recipe, const PlanKey& key) {
    if (recipe.kind == Recipe::Kind::native) return true;
    if (!knows_placement(needs_placement(recipe), needs_topology(recipe))) return false;
    try {
        (void)resolve(recipe, key.collective, placement(recipe), rank_, key.call().operation);
        return has(needs_of(recipe, key.collective, placement_));
    } catch (const Error&) {
        return true;
    }
}

void PrivateCommunicator::provide(const Recipe& recipe, const PlanKey& key, Purpose purpose) {
    if (recipe.kind == Recipe::Kind::native) return;
    const auto what = std::pair(key.collective, to_string(recipe));
    lacks_.erase(what);
    const Placement& locations = placement(recipe);
    std::string lack;
    Phase phase{.collective = key.collective};
    try {
        phase = resolve(recipe, key.collective, locations, rank_, key.call().operation);
    } catch (const Error&) {
        return;  // the recipe can never serve; the call reports that
    }
    try {
        provide(recipe, phase, purpose);
    } catch (const MpiError&) {
        throw;
    } catch (const Error& error) {
        lack = error.what();
    }
    if (!lack.empty()) lacks_.emplace(what, lack);
}

}  // namespace echelon
