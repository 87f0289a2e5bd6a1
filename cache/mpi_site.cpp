// SPDX-License-Identifier: Apache-2.0
#include "cache/mpi_site.hpp"

#include <algorithm>

namespace echelon {

MpiSite::MpiSite(Route route, Memory& memory, SplitCounters& counters)
    : route_(std::move(route)),
      memory_(memory),
      counters_(counters),
      link_(route_, memory),
      native_(route_.comm, route_.rank, route_.size, memory) {}

MpiSite::MpiSite(Comm own, Route route, const MpiSite& parent, Placement placement)
    : own_(std::move(own)),
      route_(std::move(route)),
      memory_(parent.memory_),
      counters_(parent.counters_),
      link_(route_, memory_),
      native_(route_.comm, route_.rank, route_.size, memory_),
      placement_(std::move(placement)),
      translate_(parent.translate_) {}

const Split& MpiSite::split(const Groups& groups) { return division(groups).split; }

bool MpiSite::has(const Groups& groups) const {
    return std::any_of(divisions_.begin(), divisions_.end(),
                       [&](const auto& d) { return d->groups == groups; });
}

MpiSite::Division& MpiSite::division(const Groups& groups) {
    ++clock_;
    for (const auto& known : divisions_)
        if (known->groups == groups) {
            ++counters_.hits;
            known->last_use = clock_;
            return *known;
        }
    Partition partition = resolve(groups, link_.size(), placement_);
    const int rank = link_.rank(), group = partition.group_of(rank), position = partition.position_of(rank);
    const double start = PMPI_Wtime();
    auto inside = part(partition.members(group), position, group, position);
    auto across = part(partition.positions(position), partition.place_across(rank), position, group);
    counters_.seconds += PMPI_Wtime() - start;
    counters_.translated += inside->has_communicator() ? 0 : 1;
    auto made = std::make_unique<Division>(Division{groups,
                                                    {std::move(partition), inside.get(), across.get()},
                                                    std::move(inside),
                                                    std::move(across),
                                                    clock_});
    divisions_.push_back(std::move(made));
    divisions_.back()->inside->begin();
    divisions_.back()->across->begin();
    return *divisions_.back();
}

std::unique_ptr<MpiSite> MpiSite::part(std::span<const int> members, int own, int color, int key) {
    Placement placement = placement_.of(members);
    const int size = int(members.size());
    Comm made;
    if (!translate_) made = Comm::try_split(route_.comm, color, key);
    if (made.get() != MPI_COMM_NULL) {
        ++counters_.splits;
        const MPI_Comm handle = made.get();
        return std::unique_ptr<MpiSite>(new MpiSite(
            std::move(made), {.comm = handle, .rank = own, .size = size}, *this, std::move(placement)));
    }
    Route route{.comm = route_.comm, .rank = own, .size = size, .first_tag = route_.first_tag};
    for (const int member : members) route.members.push_back(route_.in_comm(member));
    return std::unique_ptr<MpiSite>(new MpiSite(Comm(), std::move(route), *this, std::move(placement)));
}

bool MpiSite::complete() const {
    return route_.members.empty() && std::all_of(divisions_.begin(), divisions_.end(), [](const auto& d) {
               return d->inside->complete() && d->across->complete();
           });
}

int MpiSite::communicators() const {
    int count = 0;
    for (const auto& d : divisions_)
        for (const MpiSite* part : {d->inside.get(), d->across.get()})
            count += int(part->has_communicator()) + part->communicators();
    return count;
}

bool MpiSite::drop_oldest(const Groups& except) {
    const auto droppable = [&](const auto& d) { return d->groups != except; };
    const auto oldest =
        std::min_element(divisions_.begin(), divisions_.end(), [&](const auto& a, const auto& b) {
            return std::pair(!droppable(a), a->last_use) < std::pair(!droppable(b), b->last_use);
        });
    if (oldest == divisions_.end() || !droppable(*oldest)) return false;
    divisions_.erase(oldest);
    return true;
}

void MpiSite::begin() {
    link_.begin();
    for (const auto& d : divisions_) {
        d->inside->begin();
        d->across->begin();
    }
}

}  // namespace echelon
