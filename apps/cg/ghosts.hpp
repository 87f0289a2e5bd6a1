// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cg/field.hpp"

#include <mpi.h>
#include <array>

namespace cg {

/// Fetches the ghosts of a field from up to six neighbours in a grid of processes, point to point.
class Ghosts {
public:
    /// `grid`: from MPI_Cart_create in three dimensions. Requires: `extents` that match the neighbours'.
    Ghosts(MPI_Comm grid, const Triple& extents) : grid_(grid) {
        for (int d = 0; d < 3; ++d) {
            const int last = int(extents[std::size_t(d)]);
            Side low{.first_inner = layer(extents, d, 1), .ghost = layer(extents, d, 0)};
            Side high{.first_inner = layer(extents, d, last), .ghost = layer(extents, d, last + 1)};
            MPI_Cart_shift(grid, d, 1, &low.neighbour, &high.neighbour);
            sides_[std::size_t(2 * d)] = low;
            sides_[std::size_t(2 * d + 1)] = high;
        }
    }
    ~Ghosts() {
        for (Side& side : sides_) {
            MPI_Type_free(&side.first_inner);
            MPI_Type_free(&side.ghost);
        }
    }
    Ghosts(const Ghosts&) = delete;
    Ghosts& operator=(const Ghosts&) = delete;

    void fetch(Field& field) const {
        std::array<MPI_Request, 12> requests;
        double* const values = &field.at(0, 0, 0);
        for (std::size_t i = 0; i < 6; ++i) {
            const Side& side = sides_[i];
            // A message is tagged by the side that it leaves from; it arrives at the opposite one.
            MPI_Irecv(values, 1, side.ghost, side.neighbour, int(i ^ 1), grid_, &requests[2 * i]);
            MPI_Isend(values, 1, side.first_inner, side.neighbour, int(i), grid_, &requests[2 * i + 1]);
        }
        MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }

private:
    struct Side {
        MPI_Datatype first_inner, ghost;
        int neighbour = MPI_PROC_NULL;
    };

    /// The inner points of the layer that is `at` in dimension `d`.
    static MPI_Datatype layer(const Triple& extents, int d, int at) {
        std::array<int, 3> whole, part, begin = {1, 1, 1};
        for (std::size_t i = 0; i < 3; ++i) {
            part[i] = int(extents[i]);
            whole[i] = part[i] + 2;
        }
        part[std::size_t(d)] = 1;
        begin[std::size_t(d)] = at;
        MPI_Datatype type;
        MPI_Type_create_subarray(3, whole.data(), part.data(), begin.data(), MPI_ORDER_C, MPI_DOUBLE, &type);
        MPI_Type_commit(&type);
        return type;
    }

    MPI_Comm grid_;
    std::array<Side, 6> sides_;
};

}  // namespace cg
