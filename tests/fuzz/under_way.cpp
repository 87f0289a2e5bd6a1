// SPDX-License-Identifier: Apache-2.0
#include "fuzz/under_way.hpp"

#include "fuzz/call.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <type_traits>
#include <utility>

namespace fuzz {
namespace {

constexpr int n = 3;
constexpr int nothing = -1;
int value(int rank, int i) { return 100 * rank + i; }

}  // namespace

Peers Peers::all(int ranks) {
    std::vector<int> list(static_cast<std::size_t>(ranks));
    std::iota(list.begin(), list.end(), 0);
    return {list, list};
}

Peers Peers::near(MPI_Comm comm) {
    int topology = MPI_UNDEFINED, rank = 0;
    PMPI_Topo_test(comm, &topology);
    PMPI_Comm_rank(comm, &rank);
    Peers near;
    if (topology == MPI_CART) {
        int dimensions = 0;
        PMPI_Cartdim_get(comm, &dimensions);
        for (int i = 0; i < dimensions; ++i) {
            int before = 0, behind = 0;
            PMPI_Cart_shift(comm, i, 1, &before, &behind);
            near.from.insert(near.from.end(), {before, behind});
        }
        near.to = near.from;
    } else if (topology == MPI_GRAPH) {
        int degree = 0;
        PMPI_Graph_neighbors_count(comm, rank, &degree);
        near.from.resize(std::size_t(degree));
        PMPI_Graph_neighbors(comm, rank, degree, near.from.data());
        near.to = near.from;
    } else if (topology == MPI_DIST_GRAPH) {
        int in = 0, out = 0, weighted = 0;
        PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
        near.from.resize(std::size_t(in));
        near.to.resize(std::size_t(out));
        std::vector<int> weights(std::size_t(std::max(in, out)) + 1);
        PMPI_Dist_graph_neighbors(comm, in, near.from.data(), weights.data(), out, near.to.data(),
                                  weights.data());
    }
    return near;
}

UnderWay::UnderWay(Kind kind, bool persistent, MPI_Comm comm, int rank, Peers peers, int root)
    : kind_(kind),
      persistent_(persistent),
      rank_(rank),
      root_(root),
      peers_(std::move(peers)),
      give_(n * std::max(peers_.to.size(), std::size_t(1))),
      take_(n * std::max(peers_.from.size(), std::size_t(1))) {
    prepare();
    make(comm);
}

void UnderWay::prepare() {
    const bool to_each = kind_ == Kind::alltoall || kind_ == Kind::near_alltoall;
    for (std::size_t i = 0; i < give_.size(); ++i)
        give_[i] = value(rank_, int(i) % n + (to_each && !peers_.to.empty() ? n * peers_.to[i / n] : 0));
    std::fill(take_.begin(), take_.end(), nothing);
    if (kind_ == Kind::bcast && rank_ == root_) std::copy_n(give_.begin(), n, take_.begin());
}

template <class Now, class Init, class... Arguments>
void UnderWay::begin(Now* now, [[maybe_unused]] Init init, Arguments... arguments) {
    if constexpr (!std::is_null_pointer_v<Init>) {
        if (persistent_) {
            init(arguments..., MPI_INFO_NULL, &request_);
            MPI_Start(&request_);
            return;
        }
    }
    persistent_ = false;
    now(arguments..., &request_);
}

void UnderWay::make(MPI_Comm comm) {
    const int* const give = give_.data();
    int* const take = take_.data();
    switch (kind_) {
        case Kind::barrier:
            return begin(&MPI_Ibarrier, FUZZ_INIT(Barrier), comm);
        case Kind::allreduce:
            return begin(&MPI_Iallreduce, FUZZ_INIT(Allreduce), give, take, n, MPI_INT, MPI_SUM, comm);
        case Kind::bcast:
            return begin(&MPI_Ibcast, FUZZ_INIT(Bcast), take, n, MPI_INT, root_, comm);
        case Kind::allgather:
            return begin(&MPI_Iallgather, FUZZ_INIT(Allgather), give, n, MPI_INT, take, n, MPI_INT, comm);
        case Kind::alltoall:
            return begin(&MPI_Ialltoall, FUZZ_INIT(Alltoall), give, n, MPI_INT, take, n, MPI_INT, comm);
        case Kind::near_allgather:
            return begin(&MPI_Ineighbor_allgather, FUZZ_INIT(Neighbor_allgather), give, n, MPI_INT, take, n,
                         MPI_INT, comm);
        case Kind::near_alltoall:
            return begin(&MPI_Ineighbor_alltoall, FUZZ_INIT(Neighbor_alltoall), give, n, MPI_INT, take, n,
                         MPI_INT, comm);
    }
}

int UnderWay::right(std::size_t block, int i) const {
    const int ranks = int(peers_.from.size());
    if (kind_ == Kind::barrier) return nothing;
    if (kind_ == Kind::bcast) return block == 0 ? value(root_, i) : nothing;
    if (kind_ == Kind::allreduce) return block == 0 ? ranks * i + 100 * ranks * (ranks - 1) / 2 : nothing;
    if (ranks == 0) return nothing;
    const int from = peers_.from[block];
    if (from < 0) return nothing;  // the edge of a grid
    return value(from, i + (kind_ == Kind::alltoall || kind_ == Kind::near_alltoall ? n * rank_ : 0));
}

std::string UnderWay::finish() {
    bool fits = true;
    for (int start = 0; start <= int(persistent_); ++start) {
        if (start > 0) {
            prepare();
            MPI_Start(&request_);
        }
        MPI_Wait(&request_, MPI_STATUS_IGNORE);
        for (std::size_t i = 0; i < take_.size(); ++i) fits = fits && take_[i] == right(i / n, int(i % n));
    }
    if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
    return fits ? "" : "the " + name() + " has a wrong result";
}

std::string UnderWay::name() const {
    static constexpr std::array names{
        "barrier", "allreduce", "bcast", "allgather", "alltoall", "neighbor_allgather", "neighbor_alltoall"};
    return (persistent_ ? "persistent " : "nonblocking ") + std::string(names[std::size_t(kind_)]) +
           " under way";
}

}  // namespace fuzz
