// SPDX-License-Identifier: Apache-2.0
// MPICH 4.0.2 crashed in MPI_Reduce with MPI_IN_PLACE at a root other than 0 from 2 KiB on, and with it every
// recipe whose leaders reduced by `native`.
#include "tests/support/communicators.hpp"

#include <gtest/gtest.h>
#include <echelon/echelon.hpp>
#include <vector>

namespace echelon {
namespace {

TEST(NativePhases, ReduceVectorsOfAnyLengthToAnyRoot) {
    for (const int p : {2, 3, 4, 5}) {
        const FirstRanks ranks(p);
        if (!ranks) continue;
        Tuning tuning(ranks.get());
        for (const char* recipe : {"leaders(G=2, native, native)", "lanes(size=2, native, native)",
                                   "positions(size=2, native, native)"}) {
            tuning.force("reduce", recipe);
            for (const int count : {500, 600, 5000, 100'000})
                for (int root = 0; root < p; ++root) {
                    std::vector<int> in(std::size_t(count), ranks.rank() + 1), out(in.size());
                    EXPECT_EQ(reduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, root, ranks.get()),
                              MPI_SUCCESS);
                    if (ranks.rank() != root) continue;
                    EXPECT_EQ(out, std::vector<int>(in.size(), p * (p + 1) / 2)) << recipe << count << root;
                }
        }
    }
}

}  // namespace
}  // namespace echelon
