// SPDX-License-Identifier: Apache-2.0
#include "cache/mpi_site.hpp"

#include <algorithm>

namespace echelon {

MpiSite::MpiSite(MPI_Comm comm, Memory& memory, SplitCounters& counters)
    : comm_(comm),
      memory_(memory),
      counters_(counters),
      link_(comm, rank_of(comm), size_of(comm), memory),
      native_(comm, rank_of(comm), size_of(comm), memory) {}

MpiSite::MpiSite(Comm own, MPI_Comm talks_over, int rank, std::vector<int> members, int size,
                 const MpiSite& parent, Placement placement)
    : own_(std::move(own)),
      comm_(talks_over),
      members_(std::move(members)),
      memory_(parent.memory_),
      counters_(parent.counters_),
      link_(members_.empty() ? MpiLink(comm_, rank, size, memory_) : MpiLink(comm_, rank, members_, memory_)),
      native_(comm_, rank, size, memory_),
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
    if (!translate_) made = Comm::try_split(comm_, color, key);
    if (made.get() != MPI_COMM_NULL) {
        ++counters_.splits;
        const MPI_Comm handle = made.get();
        return std::unique_ptr<MpiSite>(
            new MpiSite(std::move(made), handle, own, {}, size, *this, std::move(placement)));
    }
    std::vector<int> in_comm(members.begin(), members.end());
    if (!members_.empty())
        for (int& member : in_comm) member = members_[std::size_t(member)];
    return std::unique_ptr<MpiSite>(
        new MpiSite(Comm(), comm_, own, std::move(in_comm), size, *this, std::move(placement)));
}

bool MpiSite::complete() const {
    return std::all_of(divisions_.begin(), divisions_.end(), [](const auto& d) {
        return d->inside->has_communicator() && d->across->has_communicator() && d->inside->complete() &&
               d->across->complete();
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

void MpiSite::forget() {
    own_.forget();
    for (const auto& d : divisions_) {
        d->inside->forget();
        d->across->forget();
    }
}

void MpiSite::begin() {
    link_.begin();
    for (const auto& d : divisions_) {
        d->inside->begin();
        d->across->begin();
    }
}

}  // namespace echelon
