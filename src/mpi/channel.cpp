// SPDX-License-Identifier: Apache-2.0
#include "mpi/channel.hpp"

#include "mpi/agree.hpp"
#include "mpi/meeting.hpp"

#include <array>

namespace echelon {
Channel::Channel(const OwnWorld& world)
    : comm_(world.get()),
      rank_(rank_of(MPI_COMM_WORLD)),
      each_(most_tags() / Route::tags / size_of(MPI_COMM_WORLD)) {}

std::optional<Route> Channel::open(MPI_Comm user) {
    Route route{.comm = comm_, .rank = rank_of(user), .size = size_of(user), .members = ranks_in_world(user)};
    // Rank 0 proposes numbers from its own range: communicators with different ranks 0 never collide. A
    // member may still hold a number whose communicator rank 0 has freed.
    constexpr int attempts = 16;
    Meetings meetings(user);
    for (int attempt = 0; attempt < attempts; ++attempt) {
        meetings.hold(std::uint64_t(route.size));
        int number = route.rank == 0 ? propose() : -1;
        check(PMPI_Bcast(&number, 1, MPI_INT, 0, user), "MPI_Bcast");
        const bool mine = claim(number);
        route.first_tag = number * Route::tags;
        if (all_say(mine, user)) return route;
        if (mine) give_back(number);
    }
    return std::nullopt;
}

void Channel::close(const Route& route) { give_back(route.first_tag / Route::tags); }

int Channel::propose() {
    const std::scoped_lock lock(mutex_);
    for (int tried = 0; tried < each_; ++tried) {
        const int number = rank_ * each_ + next_;
        next_ = (next_ + 1) % each_;
        if (!taken_.contains(number)) return number;
    }
    return -1;
}

bool Channel::claim(int number) {
    const std::scoped_lock lock(mutex_);
    return number >= 0 && taken_.insert(number).second;
}

void Channel::give_back(int number) {
    const std::scoped_lock lock(mutex_);
    taken_.erase(number);
}

}  // namespace echelon
