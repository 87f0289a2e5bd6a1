// SPDX-License-Identifier: Apache-2.0
// The example of docs/new_algorithm.md, as that page has it, is right: proved like a row of the catalog, its
// formula too.
#include "estimators/simulator.hpp"
#include "support/proof.hpp"

#include <gtest/gtest.h>

// Taken from the page by tests/CMakeLists.txt.
namespace echelon {
#include "new_algorithm_declarations.inc"
}  // namespace echelon

namespace echelon {
namespace {

const Algorithm row =
#include "new_algorithm_row.inc"
    ;

TEST(NewAlgorithm, is_proved) {
    for (int p = 1; p <= 33; ++p)
        for (const int root : roots_to_prove(row.collective, p))
            for (const std::size_t count : counts_to_prove(row.collective, p)) {
                ProofCase one = proof_case(row, p, count);
                one.root = root;
                const Verdict verdict = prove(one);
                ASSERT_TRUE(verdict) << one << "\n" << verdict.reason;
            }
}

TEST(NewAlgorithm, costs_what_it_says) {
    for (int p = 1; p <= 33; ++p) {
        const double alpha = 0x1p-10, beta = 0x1p-20;
        const Cost cost = row.cost({.p = p, .bytes = 100 * proof_element});
        const Schedule schedule = record(proof_case(row, p, 100));
        EXPECT_EQ(simulate(schedule, uniform_machine(Hockney{alpha, beta}, 0)).makespan(),
                  time(cost, alpha, beta, 0))
            << p;
    }
}

}  // namespace
}  // namespace echelon
