// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>

namespace echelon {

/// A place in the code, of whoever calls what has one as its default argument. (Clang 14 has no
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

/// Where ranks of a communicator talk to each other inside of Echelon: the how manyth time, what must be
/// equal on all of them there, and the place in the code.
struct Meeting {
    std::uint64_t number = 0, arguments = 0;
    Place place = Place::current();
};

/// In builds with assertions every meeting begins with this: that all ranks are at the same one. If they are
/// not, or some rank stays away for so long, a sentence names both places and the job ends, where it would
/// hang or go on with another's data. Collective.
void meet(MPI_Comm comm, const Meeting& meeting, double patience_seconds = 300);

/// The meetings of one communicator.
class Meetings {
public:
    explicit Meetings(MPI_Comm comm) : comm_(comm) {}

    /// They are about to talk to each other; `arguments` must be the same on all of them.
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
