// SPDX-License-Identifier: Apache-2.0
// Test harness on ranks: every test sees all ranks, and a failure of any rank counts.
#include "mpi/quirks.hpp"
#include "mpi/seen_link.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <string>

#ifdef ECHELON_SMPI
inline int shared_if_unique = 0;  // external linkage, which lets the linker merge it
#endif

namespace {

int rank_in_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

TEST(Harness, runs_each_test_on_all_ranks) {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int mine = 1 + rank_in_world();
    int sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_GT(size, 1);
    EXPECT_EQ(sum, size * (size + 1) / 2);
}

/// tests/harness_test.sh names a rank that must report a failure.
TEST(Harness, fails_where_it_is_asked_to) {
    const char* asked = std::getenv("HARNESS_FAILS_ON");
    EXPECT_NE(std::to_string(rank_in_world()), asked == nullptr ? "none" : asked) << "as asked";
}

/// Ranks that do not yield slow down tests with more ranks than cores by orders of magnitude.
TEST(Harness, yields_while_it_waits) {
    if (!echelon::quirks::spins_while_it_waits) GTEST_SKIP() << "the library yields";
    Dl_info found = {};
    ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, "ucp_worker_progress"), &found), 0);
    EXPECT_NE(std::string(found.dli_fname).find("libyield.so"), std::string::npos) << found.dli_fname;
}

#ifdef ECHELON_SMPI
/// Other simulation tests compare virtual times with formulas and rely on this exact cost of a message.
TEST(Harness, simulates_a_message_in_alpha_plus_bytes_times_beta) {
    const double alpha = 10e-6, beta = 1e-9, envelope = 16;
    for (const int bytes : {0, 1000, 1000000}) {
        std::string data(static_cast<std::size_t>(bytes), 'x');
        MPI_Barrier(MPI_COMM_WORLD);
        double sent_at = MPI_Wtime();
        MPI_Bcast(&sent_at, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank_in_world() == 0) {
            sent_at = MPI_Wtime();
            MPI_Send(data.data(), bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            EXPECT_NEAR(MPI_Wtime() - sent_at, alpha + (bytes + envelope) * beta, 2e-8) << bytes << " bytes";
        } else if (rank_in_world() == 1) {
            MPI_Recv(data.data(), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
}

TEST(SeenLink, is_what_a_message_between_two_ranks_takes_on_all_ranks) {
    const echelon::Hockney seen = echelon::seen_link(1, 0, MPI_COMM_WORLD);
    EXPECT_NEAR(seen.alpha, 10e-6, 0.1e-6);
    EXPECT_NEAR(seen.beta, 1e-9, 0.01e-9);
}

/// Each rank is a copy of the program, including symbols that the linker would merge.
TEST(Harness, gives_each_rank_its_own_globals) {
    shared_if_unique += 1 + rank_in_world();
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(shared_if_unique, 1 + rank_in_world());
}
#endif

}  // namespace
