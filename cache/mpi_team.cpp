// SPDX-License-Identifier: Apache-2.0
#include "cache/mpi_team.hpp"

#include "core/error.hpp"
#include "hier/shapes.hpp"
#include "mpi/agree.hpp"
#include "mpi/meeting.hpp"
#include "mpi/open_window.hpp"
#include "mpi/shared_window.hpp"

#include <algorithm>

namespace echelon {

MpiTeam::MpiTeam(Route route, Memory& memory, FirstError& first_error, SplitCounters& counters)
    : route_(std::move(route)),
      memory_(memory),
      first_error_(first_error),
      counters_(counters),
      link_(route_, memory, first_error),
      native_(route_.comm, route_.rank, route_.size, memory) {}

MpiTeam::MpiTeam(Comm own, Route route, const MpiTeam& parent, Placement placement)
    : own_(std::move(own)),
      route_(std::move(route)),
      memory_(parent.memory_),
      first_error_(parent.first_error_),
      counters_(parent.counters_),
      link_(route_, memory_, first_error_),
      native_(route_.comm, route_.rank, route_.size, memory_),
      placement_(std::move(placement)),
      listener_(parent.listener_) {}

void MpiTeam::set_placement(Placement placement) {
    if (placement == placement_) return;
    placement_ = std::move(placement);
    const int rank = link_.rank();
    for (const auto& d : divisions_) {
        const Partition& partition = d->split.partition;
        d->inside->set_placement(placement_.of(partition.members(partition.group_of(rank))));
        d->across->set_placement(placement_.of(partition.positions(partition.position_of(rank))));
    }
}

MpiTeam::Division* MpiTeam::find(const Groups& groups) const {
    const auto known = std::find_if(divisions_.begin(), divisions_.end(),
                                    [&](const auto& one) { return one->groups == groups; });
    return known == divisions_.end() ? nullptr : known->get();
}

MpiTeam::Division& MpiTeam::division(const Groups& groups) {
    Division* const known = find(groups);
    if (known == nullptr) throw Error("the division " + to_string(groups) + " was not made");
    ++counters_.hits;
    known->last_use = ++clock_;
    return *known;
}

void MpiTeam::open_windows(const Needs& needs, Boards& boards) {
    if (needs.window && could_share() && window_ == nullptr)
        if (Boards::Lease lease = open_board(route_, WindowShape(), boards)) {
            auto made = std::make_unique<SharedWindow>(std::move(lease), memory_, first_error_);
            window_ = made.get();
            link_.share(std::move(made));
        }
    for (const NeededDivision& one : needs.divisions) {
        const Division* const division = find(one.groups);
        if (division == nullptr) continue;
        division->inside->open_windows(one.inside, boards);
        division->across->open_windows(one.across, boards);
    }
}

bool MpiTeam::reaches_peers() const {
    bool all = window_ == nullptr || window_->reaches_all();
    for (const auto& division : divisions_)
        all = all && division->inside->reaches_peers() && division->across->reaches_peers();
    return all;
}

void MpiTeam::expose_from(Bytes bytes) {
    if (Window* const window = link_.window()) window->expose_from(bytes);
    for (const auto& division : divisions_) {
        division->inside->expose_from(bytes);
        division->across->expose_from(bytes);
    }
}

void MpiTeam::close_windows() {
    window_ = nullptr;
    link_.share(nullptr);
    for (const auto& division : divisions_) {
        division->inside->close_windows();
        division->across->close_windows();
    }
}

bool MpiTeam::windows_open(const Needs& needs) {
    bool all = !needs.window || !could_share() || link_.window() != nullptr;
    for (const NeededDivision& one : needs.divisions)
        if (const Division* const division = find(one.groups))
            all = all && division->inside->windows_open(one.inside) &&
                  division->across->windows_open(one.across);
    return all;
}

MpiTeam* MpiTeam::of_part(const Phase& phase, int part) const {
    const Division& division = *find(*phase.groups);
    if (part != int(phase.row->outer())) return division.inside.get();
    const Partition& partition = division.split.partition;
    const bool has_place = partition.position_of(link_.rank()) < partition.smallest();
    return has_place ? division.across.get() : nullptr;
}

void MpiTeam::divide(const Phase& phase, Parts parts) {
    if (!phase.groups) {
        for (const Phase& part : phase.parts) divide(part, parts);
        return;
    }
    if (find(*phase.groups) == nullptr) make(*phase.groups, parts);
    for (int i = 0; i < int(phase.parts.size()); ++i)
        if (MpiTeam* const team = of_part(phase, i)) team->divide(phase.parts[std::size_t(i)], parts);
}

void MpiTeam::divide_like(const MpiTeam& other) {
    for (const auto& one : other.divisions_) {
        make(one->groups, Parts::translated);
        divisions_.back()->inside->divide_like(*one->inside);
        divisions_.back()->across->divide_like(*one->across);
    }
}

bool MpiTeam::complete(const Phase& phase) const {
    bool all = route_.members.empty();
    for (int i = 0; i < int(phase.parts.size()); ++i) {
        const MpiTeam* const team = phase.groups ? of_part(phase, i) : this;
        all = all && (team == nullptr || team->complete(phase.parts[std::size_t(i)]));
    }
    return all;
}

void MpiTeam::make(const Groups& groups, Parts parts) {
    Partition partition = resolve(groups, link_.size(), placement_);
    const int rank = link_.rank(), group = partition.group_of(rank), position = partition.position_of(rank);
    Comm of_group, of_position;
    if (parts == Parts::communicators && route_.members.empty()) {
        Meetings{route_.comm}.hold(node_key(to_string(groups)));
        const double start = PMPI_Wtime();
        of_group = Comm::try_split(route_.comm, group, position);
        of_position = Comm::try_split(route_.comm, position, group);
        counters_.seconds += PMPI_Wtime() - start;
        // The library's last communicator may have gone to some of the ranks.
        if (!all_say(of_group.get() != MPI_COMM_NULL && of_position.get() != MPI_COMM_NULL, route_.comm))
            of_group = Comm(), of_position = Comm();
    }
    const bool translated = of_group.get() == MPI_COMM_NULL;
    ++(translated ? counters_.translated : counters_.splits);
    counters_.splits += translated ? 0 : 1;
    auto inside = part(partition.members(group), position, std::move(of_group));
    auto across = part(partition.positions(position), partition.place_across(rank), std::move(of_position));
    divisions_.push_back(
        std::make_unique<Division>(Division{groups,
                                            {std::move(partition), inside.get(), across.get()},
                                            std::move(inside),
                                            std::move(across),
                                            ++clock_}));
    divisions_.back()->inside->begin();
    divisions_.back()->across->begin();
}

std::unique_ptr<MpiTeam> MpiTeam::part(std::span<const int> members, int own, Comm made) {
    Placement placement = placement_.of(members);
    Route route{.comm = made.get(), .rank = own, .size = int(members.size())};
    if (made.get() == MPI_COMM_NULL) {
        route.comm = route_.comm;
        route.first_tag = route_.first_tag;
        for (const int member : members) route.members.push_back(route_.in_comm(member));
    }
    return std::unique_ptr<MpiTeam>(
        new MpiTeam(std::move(made), std::move(route), *this, std::move(placement)));
}

int MpiTeam::communicators() const {
    int count = 0;
    for (const auto& d : divisions_)
        for (const MpiTeam* part : {d->inside.get(), d->across.get()})
            count += int(part->has_communicator()) + part->communicators();
    return count;
}

void MpiTeam::drop(const Groups& groups) {
    std::erase_if(divisions_, [&](const auto& one) { return one->groups == groups; });
}

std::optional<Groups> MpiTeam::drop_oldest(const Needs& needed) {
    const auto kept = [&](const auto& d) { return needed.divides_by(d->groups); };
    const auto oldest =
        std::min_element(divisions_.begin(), divisions_.end(), [&](const auto& a, const auto& b) {
            return std::pair(kept(a), a->last_use) < std::pair(kept(b), b->last_use);
        });
    if (oldest == divisions_.end() || kept(*oldest)) return std::nullopt;
    const Groups dropped = (*oldest)->groups;
    divisions_.erase(oldest);
    return dropped;
}

void MpiTeam::begin() {
    link_.begin();
    for (const auto& d : divisions_) {
        d->inside->begin();
        d->across->begin();
    }
}

}  // namespace echelon
