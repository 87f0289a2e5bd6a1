// SPDX-License-Identifier: Apache-2.0
/// Long vectors through shared memory, many calls that run ahead, and the communicators that get windows.
/// Short vectors of all kinds are in collectives_test.
#include "cache/state.hpp"
#include "support/as_native.hpp"
#include "support/communicators.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <echelon/echelon.hpp>
#include <filesystem>
#include <numeric>
#include <thread>

namespace echelon {
namespace {

constexpr int ranks_here = 5;

/// Whole numbers, whose sums do not depend on the order of additions.
std::vector<double> numbers(std::size_t count, int rank, int call = 0) {
    std::vector<double> made(count);
    for (std::size_t i = 0; i < count; ++i) made[i] = double(i % 1000) + 1000 * rank + 7 * call;
    return made;
}

bool has_window(MPI_Comm comm) {
    State* const state = State::known(comm);
    return state != nullptr && state->own().team().link().window() != nullptr;
}

void force_all(MPI_Comm comm, const std::string& recipe, int p) {
    for (const Collective collective : all_collectives) force(comm, name(collective).data(), recipe, p);
}

TEST(Shm, ServesLongVectors) {
    const Kinds kinds;
    for (int p = 2; p <= ranks_here; ++p) {
        const FirstRanks ranks(p);
        if (!ranks) continue;
        force_all(ranks.get(), "shm", p);
        for (const Collective collective : all_collectives)
            for (const std::size_t each : {1, 3, 600, 12000})
                for (const Kind& kind : kinds.in_turn(p, 0))
                    // Open MPI 4.1.4 writes behind buffers of its own if a long vector's elements begin with
                    // a gap.
                    if (collective != Collective::barrier && kind.commutes && kind.first == 0)
                        expect_as_native(ranks.get(), collective, kind,
                                         in_blocks(collective) ? each : each * std::size_t(p), p - 1);
        EXPECT_TRUE(has_window(ranks.get()));
        for (const auto& [key, plan] : State::known(ranks.get())->plans().all())
            EXPECT_TRUE(plan.native() || plan.messages == 0 || key.element_size > WindowShape().slot)
                << name(key.collective);
    }
}

/// Roots leave as soon as they have put, round after round, without a barrier in between.
TEST(Shm, ServesCallsThatRunAhead) {
    const FirstRanks ranks(ranks_here);
    force_all(ranks.get(), "shm", ranks_here);
    const int me = ranks.rank();
    for (int call = 0; call < 600; ++call) {
        const std::size_t count = std::array<std::size_t, 4>{1, 14, 15, 3000}[std::size_t(call) % 4];
        const int root = call / 7 % ranks_here;
        auto data = numbers(count, me, call);
        if (call % 3 == 0) {
            bcast(data.data(), int(count), MPI_DOUBLE, root, ranks.get());
            EXPECT_EQ(data, numbers(count, root, call)) << call;
        } else if (call % 3 == 1) {
            auto sum = data;
            reduce(data.data(), sum.data(), int(count), MPI_DOUBLE, MPI_SUM, root, ranks.get());
            auto expected = numbers(count, 0, call);
            for (int r = 1; r < ranks_here; ++r) {
                const auto other = numbers(count, r, call);
                for (std::size_t i = 0; i < count; ++i) expected[i] += other[i];
            }
            EXPECT_TRUE(me != root || sum == expected) << call;
        } else if (call % 11 == 0) {
            barrier(ranks.get());
        }
    }
}

Seconds processor_time() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
        return double(time.tv_sec) + 1e-6 * double(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// A rank that spins while it waits for a late one uses the whole time. docs/shared_memory.md tells how
/// little this one uses.
TEST(Shm, LeavesTheProcessorToOthersWhileARankIsLate) {
    const FirstRanks ranks(2);
    if (!ranks) return;
    force_all(ranks.get(), "shm", 2);
    double one = ranks.rank(), sum = 0;
    const auto meet = [&] { allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, ranks.get()); };
    for (int call = 0; call < 3; ++call) meet();
    constexpr Seconds late = 0.5;
    if (ranks.rank() == 0) std::this_thread::sleep_for(std::chrono::duration<double>(late));
    const Seconds before = processor_time();
    meet();
    EXPECT_EQ(sum, 1);
    if (ranks.rank() != 0) {
        EXPECT_LT(processor_time() - before, 0.5 * late);
    }
}

/// A wait in shared memory must progress pending messages of the program.
TEST(Shm, LetsMessagesMove) {
    const FirstRanks ranks(2);
    if (!ranks) return;
    force_all(ranks.get(), "shm", 2);
    const int me = ranks.rank();
    const std::size_t count = std::size_t(1) << 20;  // far beyond the eager limit
    const auto mine = numbers(count, me);
    std::vector<double> theirs(count);
    std::array<MPI_Request, 2> requests;
    double sum = 0;
    const double one = 1;
    allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, ranks.get());  // the ranks first agree by messages
    if (me == 0) {
        MPI_Isend(mine.data(), int(count), MPI_DOUBLE, 1, 0, ranks.get(), &requests[0]);
        allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, ranks.get());
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(theirs.data(), int(count), MPI_DOUBLE, 0, 0, ranks.get(), MPI_STATUS_IGNORE);
        allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, ranks.get());
        EXPECT_EQ(theirs, numbers(count, 0));
    }
    EXPECT_EQ(sum, 2);
}

TEST(Shm, ServesInsideShapes) {
    const FirstRanks ranks(ranks_here);
    for (const char* recipe :
         {"leaders(size=2, shm, recursive_doubling)", "lanes(size=2, shm, recursive_doubling)",
          "positions(size=2, shm, shm)", "leaders(size=3, shm, shm)"}) {
        force(ranks.get(), "allreduce", recipe, ranks_here);
        for (const std::size_t count : {std::size_t(3), std::size_t(30000)}) {
            const auto in = numbers(count, ranks.rank());
            std::vector<double> expected(count), got(count);
            MPI_Allreduce(in.data(), expected.data(), int(count), MPI_DOUBLE, MPI_SUM, ranks.get());
            for (int again = 0; again < 3; ++again) {
                allreduce(in.data(), got.data(), int(count), MPI_DOUBLE, MPI_SUM, ranks.get());
                EXPECT_EQ(got, expected) << recipe << ", " << count;
            }
        }
        auto& team = State::known(ranks.get())->own().team();
        Link& inside = team.split(Recipe::parse(recipe).groups.value()).inside->link();
        EXPECT_EQ(inside.window() != nullptr, inside.size() > 1) << recipe;
    }
}

int class_of(int code) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    return error_class;
}

/// Numbers that rank 0 sends to each other rank, and the number that rank 1 expects: in a line, in one slot,
/// in several slots and exposed.
constexpr int differing_lengths[][2] = {{10, 4},         {4, 10},        {1000, 999},      {1000, 1001},
                                        {20000, 3000},   {3000, 20000},  {20000, 12},      {12, 20000},
                                        {200000, 10},    {10, 200000},   {200000, 199999}, {150000, 200000},
                                        {200000, 20000}, {20000, 200000}};

/// A rank that expected less than the root of a bcast or scatter sends got it cut without an error, and the
/// rounds of the ranks parted for good.
TEST(Shm, TakesTheLengthOfTheRoot) {
    for (const int p : {3, ranks_here}) {
        const FirstRanks ranks(p);
        if (!ranks) continue;
        MPI_Comm_set_errhandler(ranks.get(), MPI_ERRORS_RETURN);
        const int me = ranks.rank();
        std::vector<double> data(200000);
        // Open MPI hands out shorter data; MPICH also returns an error.
        const int shorter_class =
            class_of(MPI_Bcast(data.data(), me == 1 ? 1010 : 1000, MPI_DOUBLE, 0, ranks.get()));
        force_all(ranks.get(), "shm", p);
        for (const auto& lengths : differing_lengths) {
            const int sent = lengths[0], expected = lengths[1];
            const int own = me == 1 ? expected : sent;
            const auto expect_result = [&](int code, int class_if_shorter, int owner, int from) {
                const int wanted = own == sent  ? MPI_SUCCESS
                                   : own > sent ? class_if_shorter
                                                : MPI_ERR_TRUNCATE;
                EXPECT_EQ(class_of(code), wanted) << sent << " for " << own;
                const auto all = numbers(std::size_t(from) + std::size_t(sent), owner);
                for (std::size_t i = 0; i < data.size(); ++i) {
                    const double here =
                        i < std::size_t(std::min(own, sent)) ? all[std::size_t(from) + i] : -1;
                    if (data[i] == here || (own < sent && i < std::size_t(own))) continue;
                    ADD_FAILURE() << "element " << i << " of " << sent << " for " << own;
                    break;
                }
            };
            std::fill(data.begin(), data.end(), -1);
            if (me == 0) std::ranges::copy(numbers(std::size_t(sent), 0), data.begin());
            const int code = bcast(data.data(), own, MPI_DOUBLE, 0, ranks.get());
            expect_result(code, shorter_class, 0, 0);

            const auto all = numbers(std::size_t(p) * std::size_t(sent), 0);
            std::fill(data.begin(), data.end(), -1);
            const int scattered =
                scatter(all.data(), sent, MPI_DOUBLE, data.data(), own, MPI_DOUBLE, 0, ranks.get());
            expect_result(scattered, MPI_SUCCESS, 0, me * sent);

            // The ranks stand at the same round.
            for (const std::size_t count : {1, 6000}) {
                std::vector<double> sum(count);
                const auto in = numbers(count, me);
                allreduce(in.data(), sum.data(), int(count), MPI_DOUBLE, MPI_SUM, ranks.get());
                EXPECT_EQ(sum[count - 1], p * numbers(count, 0)[count - 1] + 1000 * p * (p - 1) / 2);
                auto last = numbers(count, me);
                bcast(last.data(), int(count), MPI_DOUBLE, 1, ranks.get());
                EXPECT_EQ(last, numbers(count, 1));
            }
        }
        EXPECT_TRUE(has_window(ranks.get()));
    }
}

/// Segments have no name.
TEST(Shm, LeavesNothingBehind) {
    {
        const FirstRanks ranks(ranks_here);
        force_all(ranks.get(), "shm", ranks_here);
        barrier(ranks.get());
        EXPECT_TRUE(has_window(ranks.get()));
    }
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
        EXPECT_EQ(entry.path().string().find("echelon"), std::string::npos) << entry.path();
}

/// Ranks 2, 3, 4, 0, 1 of the world.
class OtherOrder {
public:
    OtherOrder() {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_split(MPI_COMM_WORLD, 0, (rank + 3) % ranks_here, &comm_);
    }
    ~OtherOrder() { MPI_Comm_free(&comm_); }
    OtherOrder(const OtherOrder&) = delete;
    OtherOrder& operator=(const OtherOrder&) = delete;
    MPI_Comm get() const { return comm_; }
    int rank() const {
        int rank = 0;
        MPI_Comm_rank(comm_, &rank);
        return rank;
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// One rank cannot open the segment that the others share: all ranks use messages.
TEST(Shm, GoesByMessagesWhereMemoryIsRefused) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer opens files while it looks at objects";
#endif
    const int p = ranks_here;
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    for (const char* recipe : {"shm", "leaders(size=4, shm, shm)"}) {
        const OtherOrder all;  // its ranks have no segment yet
        force(all.get(), "allreduce", recipe, p);
        const auto in = numbers(3000, all.rank());
        std::vector<double> expected(in.size()), got(in.size());
        MPI_Allreduce(in.data(), expected.data(), 3000, MPI_DOUBLE, MPI_SUM, all.get());
        const int next = open("/dev/null", O_RDONLY);  // as many files as are open, and no more
        close(next);
        const rlimit none{.rlim_cur = rlim_t(next), .rlim_max = before.rlim_max};
        if (all.rank() == (std::string(recipe) == "shm" ? p - 1 : 0)) setrlimit(RLIMIT_NOFILE, &none);
        allreduce(in.data(), got.data(), 3000, MPI_DOUBLE, MPI_SUM, all.get());
        setrlimit(RLIMIT_NOFILE, &before);
        EXPECT_EQ(got, expected);
        EXPECT_FALSE(has_window(all.get()));
        long messages = 0;
        for (const auto& [key, plan] : State::known(all.get())->plans().all()) {
            EXPECT_FALSE(plan.native()) << recipe;
            messages += long(plan.messages);
        }
        EXPECT_GT(messages, 0) << recipe;
    }
}

/// A pipelined shape runs phases side by side, but the rounds of a window follow each other.
TEST(Shm, IsRefusedWhereSegmentsArePipelined) {
    for (const char* recipe : {"leaders(size=2, shm, ring, seg=4K)",
                               "positions(G=4, ring, lanes(size=2, ring+shm, ring), seg=4K)"})
        EXPECT_THROW((void)resolve(Recipe::parse(recipe), Collective::allreduce,
                                   Placement::from(std::vector<Location>(8)), 0, {}),
                     Error)
            << recipe;
    EXPECT_NO_THROW((void)resolve(Recipe::parse("positions(G=4, ring, lanes(size=2, ring, ring), seg=4K)"),
                                  Collective::allreduce, Placement::from(std::vector<Location>(8)), 0, {}));
}

}  // namespace
}  // namespace echelon
