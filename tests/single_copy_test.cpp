// SPDX-License-Identifier: Apache-2.0
/// Long vectors that ranks read directly in each other's memory: lengths around the threshold, types that
/// differ by rank, and systems that forbid it.
#include "cache/state.hpp"
#include "support/as_native.hpp"
#include "support/communicators.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <echelon/echelon.hpp>
#include <numeric>

namespace echelon {
namespace {

constexpr int ranks_here = 3;
constexpr std::size_t first_bytes = 1024;
/// Set before MPI_Init.
const int is_set = setenv("ECHELON_WINDOW", "read=1K", 1);

Bytes exposed_from(MPI_Comm comm) {
    State* const state = State::known(comm);
    Window* const window = state != nullptr ? state->own().team().link().window() : nullptr;
    return window != nullptr ? window->shape().expose_from : WindowShape::never;
}

bool can_be_reached() { return PeerMemory::own().can_be_reached(); }

void force_all(MPI_Comm comm, int p) {
    for (const Collective collective : all_collectives) force(comm, name(collective).data(), "shm", p);
}

/// Counts below, at and above the length from which ranks read directly, and one with uneven pieces.
std::vector<std::size_t> counts(std::size_t size, int p) {
    const std::size_t first = (first_bytes + size - 1) / size;
    const auto n = std::size_t(p);
    return {(first - 1) * n, first * n, first * n + n - 1, 60013 / n * n};
}

struct ShortInt {
    short value;
    int place;
};

class SingleCopy : public testing::TestWithParam<int> {};

/// All kinds of elements, including user-made operations, in place and not.
TEST_P(SingleCopy, GivesWhatTheLibraryGives) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const int p = ranks.size();
    force_all(ranks.get(), p);
    const Kinds kinds;
    std::vector<Kind> all(kinds.in_turn(2, 0).begin(), kinds.in_turn(2, 0).end());
    // This kind has no kernel and has gaps: it is packed.
    all.push_back({"short minloc", MPI_SHORT_INT, MPI_MINLOC, true, sizeof(ShortInt), 0,
                   [](std::byte* element, int rank, std::size_t index) {
                       const ShortInt made{short((rank * 5 + int(index)) % 4), rank};
                       std::memcpy(element, &made.value, sizeof made.value);
                       std::memcpy(element + offsetof(ShortInt, place), &made.place, sizeof made.place);
                   }});
    for (const Kind& kind : all)
        for (const std::size_t count : counts(kind.stride, p))
            for (const Collective collective : all_collectives)
                if (collective != Collective::barrier)
                    expect_as_native(ranks.get(), collective, kind,
                                     in_blocks(collective) ? count / std::size_t(p) : count, p - 1);
    EXPECT_EQ(exposed_from(ranks.get()), can_be_reached() ? first_bytes : WindowShape::never);
    for (const auto& [key, plan] : State::known(ranks.get())->plans().all())
        EXPECT_TRUE(plan.native() || plan.messages == 0 || key.element_size > WindowShape().slot)
            << name(key.collective);
}

/// All collectives that expose. One rank's type has gaps: the rank exposes a packed copy, and reads data into
/// its elements with gaps.
void exchange_types_that_differ_by_rank(const FirstRanks& ranks) {
    const int p = ranks.size(), me = ranks.rank();
    MPI_Datatype every_second = MPI_DATATYPE_NULL, spread = MPI_DATATYPE_NULL;
    MPI_Type_vector(1, 1, 1, MPI_INT, &every_second);
    MPI_Type_create_resized(every_second, 0, 2 * sizeof(int), &spread);
    MPI_Type_commit(&spread);
    MPI_Type_free(&every_second);
    const int each = 50001, all = each * p;
    for (int with_gaps = 0; with_gaps < p; ++with_gaps) {
        const int stride = me == with_gaps ? 2 : 1;
        const MPI_Datatype type = stride == 2 ? spread : MPI_INT;
        const auto value = [](int owner, int i) { return owner * 1000003 + i; };
        const auto made = [&](int owner, int count) {
            std::vector<int> vector(std::size_t(stride) * std::size_t(count), -7);
            for (int i = 0; i < count && owner >= 0; ++i)
                vector[std::size_t(i) * std::size_t(stride)] = value(owner, i);
            return vector;
        };
        for (int root = 0; root < p; ++root) {
            auto data = made(me == root ? root : -1, all);
            EXPECT_EQ(bcast(data.data(), all, type, root, ranks.get()), MPI_SUCCESS);
            EXPECT_TRUE(data == made(root, all)) << "bcast from " << root << ", gaps at " << with_gaps;
            auto share = made(-1, each), expected_share = share;
            for (int i = 0; i < each; ++i)
                expected_share[std::size_t(stride) * std::size_t(i)] = value(root, me * each + i);
            EXPECT_EQ(
                scatter(made(root, all).data(), each, type, share.data(), each, type, root, ranks.get()),
                MPI_SUCCESS);
            EXPECT_TRUE(share == expected_share) << "scatter from " << root << ", gaps at " << with_gaps;
            auto gathered = made(-1, all), expected = gathered;
            for (int i = 0; i < all && me == root; ++i)
                expected[std::size_t(stride) * std::size_t(i)] = value(i / each, i % each);
            EXPECT_EQ(
                gather(made(me, each).data(), each, type, gathered.data(), each, type, root, ranks.get()),
                MPI_SUCCESS);
            EXPECT_TRUE(gathered == expected) << "gather to " << root << ", gaps at " << with_gaps;
        }
        const auto own = made(me, each);
        auto got = made(-1, all), expected = got;
        for (int owner = 0; owner < p; ++owner)
            for (int i = 0; i < each; ++i)
                expected[std::size_t(stride) * std::size_t(owner * each + i)] = value(owner, i);
        allgather(own.data(), each, type, got.data(), each, type, ranks.get());
        EXPECT_TRUE(got == expected) << "allgather, gaps at " << with_gaps;
        const auto whole = made(me, all);
        got = made(-1, all);
        for (int owner = 0; owner < p; ++owner)
            for (int i = 0; i < each; ++i)
                expected[std::size_t(stride) * std::size_t(owner * each + i)] = value(owner, me * each + i);
        alltoall(whole.data(), each, type, got.data(), each, type, ranks.get());
        EXPECT_TRUE(got == expected) << "alltoall, gaps at " << with_gaps;
    }
    MPI_Type_free(&spread);
}

TEST_P(SingleCopy, ServesTypesThatDifferByRank) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    force_all(ranks.get(), ranks.size());
    exchange_types_that_differ_by_rank(ranks);
}

/// A buffer belongs to its owner again as soon as the call returns.
TEST_P(SingleCopy, EndsWhenNobodyReadsAnyMore) {
    const FirstRanks ranks(GetParam());
    if (!ranks) return;
    const int p = ranks.size(), me = ranks.rank();
    force_all(ranks.get(), p);
    std::vector<double> data(30000), sum(data.size());
    for (int call = 0; call < 200; ++call) {
        const int root = call % p;
        std::fill(data.begin(), data.end(), me == root ? call : -1);
        bcast(data.data(), int(data.size()), MPI_DOUBLE, root, ranks.get());
        EXPECT_EQ(std::count(data.begin(), data.end(), call), std::ptrdiff_t(data.size()));
        std::fill(data.begin(), data.end(), call + me);
        allreduce(data.data(), sum.data(), int(data.size()), MPI_DOUBLE, MPI_SUM, ranks.get());
        const double expected = p * call + p * (p - 1) / 2;
        EXPECT_EQ(std::count(sum.begin(), sum.end(), expected), std::ptrdiff_t(sum.size()));
        std::fill(sum.begin(), sum.end(), -1);
        reduce(data.data(), sum.data(), int(data.size()), MPI_DOUBLE, MPI_SUM, root, ranks.get());
        EXPECT_EQ(std::count(sum.begin(), sum.end(), expected), me == root ? std::ptrdiff_t(sum.size()) : 0);
    }
}

/// Parts of shapes have windows of their own. The system is tested once for all of them.
TEST_P(SingleCopy, ServesInsideShapes) {
    const FirstRanks ranks(GetParam());
    if (!ranks || ranks.size() == 2) return;  // a group of all is no shape
    for (const char* recipe : {"leaders(size=2, shm, shm)", "lanes(size=2, shm, recursive_doubling)",
                               "positions(size=2, shm, shm)"}) {
        force(ranks.get(), "allreduce", recipe, ranks.size());
        std::vector<double> in(20011), expected(in.size()), got(in.size());
        std::iota(in.begin(), in.end(), double(ranks.rank()));
        const auto untouched = in;
        MPI_Allreduce(in.data(), expected.data(), int(in.size()), MPI_DOUBLE, MPI_SUM, ranks.get());
        for (int again = 0; again < 3; ++again) {
            std::fill(got.begin(), got.end(), -1);
            allreduce(in.data(), got.data(), int(in.size()), MPI_DOUBLE, MPI_SUM, ranks.get());
            EXPECT_TRUE(got == expected) << recipe;
            EXPECT_TRUE(in == untouched) << recipe;
        }
        auto& team = State::known(ranks.get())->own().team();
        Link& inside = team.split(Recipe::parse(recipe).groups.value()).inside->link();
        EXPECT_EQ(inside.window() != nullptr && inside.window()->shape().expose_from == first_bytes,
                  inside.size() > 1 && can_be_reached());
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, SingleCopy, testing::Values(2, ranks_here));

/// Forbids this process to read or write another's memory from here on; false if the system has no filters.
bool forbid_copies() {
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{.len = std::size(filter), .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/// True on all ranks if the system has forbidden rank 1 to copy from and to others.
bool forbid_copies_of_1(const FirstRanks& ranks) {
    int may = 1;
    if (ranks.rank() == 1) may = forbid_copies() && !can_be_reached() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &may, 1, MPI_INT, MPI_MIN, ranks.get());
    return may == 1;
}

/// Rank 1 cannot copy. These tests run last, since the MPI library copies long messages in the same way;
/// without a parameter they would run first.
class SingleCopyForbidden : public testing::TestWithParam<int> {};

/// The call returned MPI_ERR_OTHER, without a reason, on the ranks that could not copy.
TEST_P(SingleCopyForbidden, GoesOnThroughSharedMemoryWhenThePermissionIsWithdrawn) {
    const FirstRanks ranks(GetParam());
    force_all(ranks.get(), ranks.size());
    exchange_types_that_differ_by_rank(ranks);
    if (exposed_from(ranks.get()) != first_bytes) GTEST_SKIP() << "the system permits no copies";
    if (!forbid_copies_of_1(ranks)) GTEST_SKIP() << "the system has no filters of system calls";
    MPI_Comm_set_errhandler(ranks.get(), MPI_ERRORS_RETURN);
    testing::internal::CaptureStderr();
    for (int again = 0; again < 3; ++again) exchange_types_that_differ_by_rank(ranks);
    const std::string said = testing::internal::GetCapturedStderr();
    int sentences = 0;
    for (std::size_t at = 0; (at = said.find("any more (Operation not permitted)", at)) != said.npos; ++at)
        ++sentences;
    MPI_Allreduce(MPI_IN_PLACE, &sentences, 1, MPI_INT, MPI_SUM, ranks.get());
    EXPECT_EQ(sentences, 1);
    EXPECT_EQ(exposed_from(ranks.get()), first_bytes);
}

TEST_P(SingleCopyForbidden, GoesThroughSharedMemoryWhereOneRankCannot) {
    const FirstRanks ranks(GetParam());
    const int p = ranks.size();
    std::vector<double> in(50021), expected(in.size()), got(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = double(i) + ranks.rank();
        expected[i] = p * double(i) + p * (p - 1) / 2;
    }
    if (!forbid_copies_of_1(ranks)) GTEST_SKIP() << "the system has no filters of system calls";
    force_all(ranks.get(), p);
    allreduce(in.data(), got.data(), int(in.size()), MPI_DOUBLE, MPI_SUM, ranks.get());
    EXPECT_TRUE(got == expected);
    EXPECT_EQ(exposed_from(ranks.get()), WindowShape::never);
    EXPECT_NE(State::known(ranks.get())->own().team().link().window(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Ranks, SingleCopyForbidden, testing::Values(ranks_here));

}  // namespace
}  // namespace echelon
