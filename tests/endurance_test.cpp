// SPDX-License-Identifier: Apache-2.0
/// Thousands of communicators are made, used hierarchically and freed: the memory of the process stays flat.
#include "cache/state.hpp"

#include <gtest/gtest.h>
#include <malloc.h>
#include <echelon/echelon.hpp>

namespace echelon {
namespace {

/// Bytes allocated by the whole process.
std::size_t in_use() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

std::size_t use_communicators(int number) {
    for (int i = 0; i < number; ++i) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        Tuning(comm).force("allreduce",
                           i % 2 == 0 ? "leaders(size=2, binomial, ring)" : "lanes(size=2, ring, ring)");
        int in = 1, out = 0, size = 0;
        MPI_Comm_size(comm, &size);
        allreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm);
        if (out != size) ADD_FAILURE() << "sum of " << size << " ones is " << out;
        MPI_Comm_free(&comm);
    }
    return in_use();
}

TEST(Endurance, memory_stays_flat) {
    const int held = Process::instance()->budget().held();
    constexpr int number = 9000;
    constexpr std::size_t smallest_leak =
        32;  // the smallest chunk of malloc; MPI's pools of messages may grow by less
    const std::size_t early = use_communicators(1000), late = use_communicators(number);
    EXPECT_LT(late, early + number * smallest_leak / 2);
    EXPECT_EQ(Process::instance()->budget().held(), held);
}

}  // namespace
}  // namespace echelon
