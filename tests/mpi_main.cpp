// SPDX-License-Identifier: Apache-2.0
// The main function of the tests that run on MPI ranks. Every rank runs every test; rank 0 prints as usual,
// the others print only their failures; every rank exits with the worst result of all.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <string>

namespace {

/// Prints failures alone, each with the rank that saw it.
class FailurePrinter : public testing::EmptyTestEventListener {
public:
    explicit FailurePrinter(int rank) : rank_(rank) {}

private:
    void OnTestStart(const testing::TestInfo& test) override {
        where_ = std::string(test.test_suite_name()) + "." + test.name();
    }
    void OnTestEnd(const testing::TestInfo&) override { where_ = "outside of tests"; }

    /// GoogleTest holds its lock here: this must not ask it which test runs.
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) return;
        const char* file = result.file_name() == nullptr ? "unknown file" : result.file_name();
        std::printf("[rank %d] %s: %s:%d: %s\n", rank_, where_.c_str(), file, result.line_number(),
                    result.message());
        std::fflush(stdout);
    }

    int rank_;
    std::string where_ = "outside of tests";
};

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    testing::InitGoogleTest(&argc, argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        testing::FLAGS_gtest_output = "";
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new FailurePrinter(rank));
    }

    const int mine = RUN_ALL_TESTS();
    int worst = mine;
    MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0 && mine == 0 && worst != 0) std::printf("[  FAILED  ] on other ranks, see above\n");
    MPI_Finalize();
    return worst;
}
