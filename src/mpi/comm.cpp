// SPDX-License-Identifier: Apache-2.0
#include "mpi/comm.hpp"

#include "mpi/quirks.hpp"

#include <algorithm>
#include <numeric>

namespace echelon {

namespace {

Comm owned(MPI_Comm made) {
    Comm owner(made);
    if (made != MPI_COMM_NULL)
        check(PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return owner;
}

/// While it lives, errors of a communicator return. Errors about invalid handles belong to MPI_COMM_WORLD.
class Quiet {
public:
    explicit Quiet(MPI_Comm comm) : comm_(comm) {
        if constexpr (quirks::simulated) return;  // there are no error handlers
        check(PMPI_Comm_get_errhandler(comm_, &handler_), "MPI_Comm_get_errhandler");
        check(PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    }
    ~Quiet() {
        if constexpr (quirks::simulated) return;
        PMPI_Comm_set_errhandler(comm_, handler_);
        PMPI_Errhandler_free(&handler_);
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

private:
    MPI_Comm comm_;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

/// The communicator that a call made; null if the library has none left, which all ranks find out together.
/// Any other error (no memory) may be this rank's alone, while the others wait for it: it throws.
Comm made_if_any_left(int code, MPI_Comm made, const char* call) {
    if (code == MPI_SUCCESS) return owned(made);
    if (!quirks::may_mean_none_left(code)) throw MpiError(code, call);
    return {};
}

}  // namespace

Comm Comm::split(MPI_Comm parent, int color, int key) {
    MPI_Comm made = MPI_COMM_NULL;
    check(PMPI_Comm_split(parent, color, key, &made), "MPI_Comm_split");
    return owned(made);
}

Comm Comm::try_split(MPI_Comm parent, int color, int key) {
    const Quiet quiet(parent);
    MPI_Comm made = MPI_COMM_NULL;
    const int code = PMPI_Comm_split(parent, color, key, &made);
    return made_if_any_left(code, made, "MPI_Comm_split");
}

Comm Comm::try_node(MPI_Comm parent) {
    const Quiet quiet(parent);
    MPI_Comm made = MPI_COMM_NULL;
    const int code =
        PMPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, rank_of(parent), MPI_INFO_NULL, &made);
    return made_if_any_left(code, made, "MPI_Comm_split_type");
}

Comm Comm::try_part(MPI_Comm parent, MPI_Group group, int tag) {
    const Quiet quiet(parent);
    MPI_Comm made = MPI_COMM_NULL;
    const int code = PMPI_Comm_create_group(parent, group, tag, &made);
    return made_if_any_left(code, made, "MPI_Comm_create_group");
}

bool is_communicator(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) return false;
    int initialized = 0, size = 0;
    PMPI_Initialized(&initialized);
    if (initialized == 0 || comm == MPI_COMM_WORLD) return true;  // sessions only: no error handler to quiet
    const Quiet quiet(MPI_COMM_WORLD);
    return PMPI_Comm_size(comm, &size) == MPI_SUCCESS;
}

int most_tags() {
    void* found = nullptr;
    int flag = 0;
    check(PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &found, &flag), "MPI_Comm_get_attr");
    return flag != 0 ? *static_cast<int*>(found) : 32767;
}

int rank_of(MPI_Comm comm) {
    int rank = 0;
    check(PMPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank;
}

int size_of(MPI_Comm comm) {
    int size = 0;
    check(PMPI_Comm_size(comm, &size), "MPI_Comm_size");
    return size;
}

#if ECHELON_HAS_ALL_OF_MPI_3
namespace {

bool has_two_groups(MPI_Comm comm) {
    int is_inter = 0;
    check(PMPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter");
    return is_inter != 0;
}

}  // namespace
#endif

int owners_of(MPI_Comm comm) {
#if ECHELON_HAS_ALL_OF_MPI_3
    if (has_two_groups(comm)) {
        int size = 0;
        check(PMPI_Comm_remote_size(comm, &size), "MPI_Comm_remote_size");
        return size;
    }
#endif
    return size_of(comm);
}

bool is_root(MPI_Comm comm, int root) {
#if ECHELON_HAS_ALL_OF_MPI_3
    if (has_two_groups(comm)) return root == MPI_ROOT;
#endif
    return rank_of(comm) == root;
}

bool within_world(MPI_Comm comm) {
    if constexpr (quirks::simulated) return true;  // a simulation starts no processes later
    int initialized = 0;
    check(PMPI_Initialized(&initialized), "MPI_Initialized");
    if (initialized == 0 || comm == MPI_COMM_WORLD) return true;
    const std::vector<int> ranks = ranks_in_world(comm);
    return std::find(ranks.begin(), ranks.end(), MPI_UNDEFINED) == ranks.end();
}

std::vector<int> ranks_in_world(MPI_Comm comm) {
    std::vector<int> ranks(std::size_t(size_of(comm)));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks_in_world(comm, ranks);
}

std::vector<int> ranks_in_world(MPI_Comm comm, const std::vector<int>& ranks) {
    MPI_Group ours = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    check(PMPI_Comm_group(comm, &ours), "MPI_Comm_group");
    check(PMPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    std::vector<int> in_world = ranks;
    // In Open MPI copies of a communicator share the group, and the search takes quadratic time.
    if (ours != world)
        check(PMPI_Group_translate_ranks(ours, int(ranks.size()), ranks.data(), world, in_world.data()),
              "MPI_Group_translate_ranks");
    check(PMPI_Group_free(&world), "MPI_Group_free");
    check(PMPI_Group_free(&ours), "MPI_Group_free");
    return in_world;
}

}  // namespace echelon
