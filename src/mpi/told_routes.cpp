// SPDX-License-Identifier: Apache-2.0
#include "mpi/told_routes.hpp"

#include "mpi/comm.hpp"

namespace echelon {

ToldRoutes::ToldRoutes(const OwnWorld& world) : comm_(world.get()) {
    constexpr int others = 2;
    const int each = (most_tags() / Route::tags - others) / size_of(MPI_COMM_WORLD);
    first_ = others + rank_of(MPI_COMM_WORLD) * each;
    end_ = first_ + each;
}

std::optional<int> ToldRoutes::take() {
    const int number = first_ + taken_++;
    return number < end_ ? std::optional(number) : std::nullopt;
}

Route ToldRoutes::route(MPI_Comm user, int number) const {
    return {.comm = comm_,
            .rank = rank_of(user),
            .size = size_of(user),
            .members = ranks_in_world(user),
            .first_tag = number * Route::tags};
}

}  // namespace echelon
