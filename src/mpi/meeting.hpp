// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>

namespace echelon {

/// A place in the code. The default argument current() is the caller's place. (Clang 14 has no
/// std::source_location.)
struct Place {
    const char* file;
    const char* function;
    unsigned line;
    static constexpr Place current(const char* file = __builtin_FILE(),
                                   const char* function = __builtin_FUNCTION(),
                                   unsigned line = __builtin_LINE()) {
        return {file, function, line};
    }
};

/// A point at which the ranks of a communicator exchange messages inside Echelon: its number in order, a
/// value that must be equal on all ranks, and the place in the code.
struct Meeting {
    std::uint64_t number = 0, arguments = 0;
    Place place = Place::current();
};

/// Asserts that all ranks are at the same meeting; builds with assertions call it at each. If ranks differ,
/// or one stays away for `patience_seconds`, it prints both places and ends the job, which would otherwise
/// hang or continue with wrong data. Collective.
void meet(MPI_Comm comm, const Meeting& meeting, double patience_seconds = 300);

/// The meetings of one communicator.
class Meetings {
public:
    explicit Meetings(MPI_Comm comm) : comm_(comm) {}

    /// The ranks are about to exchange messages; `arguments` must be the same on all of them. Collective in
    /// builds with assertions, otherwise without effect.
    void hold([[maybe_unused]] std::uint64_t arguments = 0, [[maybe_unused]] Place place = Place::current()) {
#ifndef NDEBUG
        meet(comm_, {++number_, arguments, place});
#endif
    }

private:
    [[maybe_unused]] MPI_Comm comm_;
    [[maybe_unused]] std::uint64_t number_ = 0;
};

}  // namespace echelon
