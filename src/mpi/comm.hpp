// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/check.hpp"

#include <utility>
#include <vector>

namespace echelon {

/// Owner of one of Echelon's communicators: move-only, frees it in the destructor.
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

    /// The ranks of `parent` with the same colour, in the order of the keys; null for MPI_UNDEFINED. The new
    /// communicator's errors return. Unlike MPI_Comm_dup it runs no attribute callbacks of the user and
    /// inherits no hints. Collective over the parent.
    static Comm split(MPI_Comm parent, int color, int key);
    /// Like split(); null on all ranks if the library has no communicator left, without a call of the
    /// parent's error handler. Throws MpiError if this rank alone failed; the other ranks do not know of it.
    static Comm try_split(MPI_Comm parent, int color, int key);
    /// The ranks of `parent` that can share memory; errors like try_split().
    static Comm try_node(MPI_Comm parent);
    /// The ranks of `group`, in its order; errors like try_split(). Uses messages with `tag`. Collective over
    /// the group.
    static Comm try_part(MPI_Comm parent, MPI_Group group, int tag);

private:
    MPI_Comm handle_ = MPI_COMM_NULL;
};

/// True if a handle is a communicator's. Local; calls no error handler of the program.
bool is_communicator(MPI_Comm comm);
int rank_of(MPI_Comm comm);
/// The highest tag of messages (MPI_TAG_UB). Requires: MPI_COMM_WORLD exists.
int most_tags();
int size_of(MPI_Comm comm);
/// Number of ranks that have blocks in a call: the other group's, if there are two.
int owners_of(MPI_Comm comm);
/// True if this rank is the root of a call with this argument: MPI_ROOT, if there are two groups.
bool is_root(MPI_Comm comm, int root);
/// True if all ranks belong to MPI_COMM_WORLD: none was started later (MPI_Comm_spawn) or came by
/// MPI_Comm_connect. True without MPI_COMM_WORLD (sessions only). Local; the same on all ranks.
bool within_world(MPI_Comm comm);
/// The ranks in MPI_COMM_WORLD of all ranks of `comm`, in order; MPI_UNDEFINED for ranks outside. Local.
/// Requires: MPI_COMM_WORLD exists.
std::vector<int> ranks_in_world(MPI_Comm comm);
/// The ranks in MPI_COMM_WORLD of the given ranks of `comm`; MPI_UNDEFINED for ranks outside. Local.
std::vector<int> ranks_in_world(MPI_Comm comm, const std::vector<int>& ranks);

}  // namespace echelon
