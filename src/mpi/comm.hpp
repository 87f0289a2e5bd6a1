// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/check.hpp"

#include <utility>
#include <vector>

namespace echelon {

/// Owner of a communicator of our own: move-only, freed at the end.
class Comm {
public:
    Comm() = default;
    explicit Comm(MPI_Comm handle) : handle_(handle) {}
    Comm(Comm&& other) noexcept : handle_(std::exchange(other.handle_, MPI_COMM_NULL)) {}
    Comm& operator=(Comm&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Comm() {
        if (handle_ != MPI_COMM_NULL) PMPI_Comm_free(&handle_);
    }

    MPI_Comm get() const { return handle_; }

    /// The ranks of `parent` with the same colour, in the order of the keys; null for MPI_UNDEFINED. Errors
    /// return. Neither the user's attribute callbacks run nor are hints inherited, as they would with
    /// MPI_Comm_dup. Collective over the parent.
    static Comm split(MPI_Comm parent, int color, int key);
    /// The same; null where the library has no communicator left, of which the parent's error handler does not
    /// hear. Throws MpiError where this rank alone failed: no other one knows of it.
    static Comm try_split(MPI_Comm parent, int color, int key);
    /// The ranks of `parent` that can share memory, likewise.
    static Comm try_node(MPI_Comm parent);
    /// Those of `group`, in its order, likewise, by messages of that tag. Collective over the group.
    static Comm try_part(MPI_Comm parent, MPI_Group group, int tag);

private:
    MPI_Comm handle_ = MPI_COMM_NULL;
};

/// Whether a handle is a communicator's. Local; no error handler of the program hears of it.
bool is_communicator(MPI_Comm comm);
int rank_of(MPI_Comm comm);
/// The highest tag of messages. Requires: MPI_COMM_WORLD is there.
int most_tags();
int size_of(MPI_Comm comm);
/// All processes began together: none was started later (MPI_Comm_spawn) or came by MPI_Comm_connect. Local,
/// and alike on all ranks. Without MPI_COMM_WORLD, where there are only sessions, true.
bool within_world(MPI_Comm comm);
/// Of all ranks, in order; MPI_UNDEFINED for those that are not there. Local. Requires: MPI_COMM_WORLD is
/// there.
std::vector<int> ranks_in_world(MPI_Comm comm);
/// Of these ranks.
std::vector<int> ranks_in_world(MPI_Comm comm, const std::vector<int>& ranks);

}  // namespace echelon
