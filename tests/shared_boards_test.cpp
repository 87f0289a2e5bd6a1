// SPDX-License-Identifier: Apache-2.0
// Communicators of the same processes share one segment, at the same time and one after the other, and their
// data never mixes.
#include "cache/state.hpp"
#include "support/communicators.hpp"

#include <gtest/gtest.h>
#include <array>
#include <echelon/echelon.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace echelon {
namespace {

constexpr int ranks_here = 5;

/// File numbers of the segments that this process has mapped.
std::set<std::string> mapped() {
    std::ifstream maps("/proc/self/maps");
    std::set<std::string> found;
    for (std::string line; std::getline(maps, line);) {
        std::istringstream words(line);
        std::string range, rights, offset, device, file, name;
        words >> range >> rights >> offset >> device >> file >> name;
        if (name == "/memfd:echelon") found.insert(file);
    }
    return found;
}

long open_files() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
}

/// A communicator on which `collectives` run by `recipe`.
class Forced {
public:
    explicit Forced(MPI_Comm made, const std::string& recipe = "shm",
                    const std::vector<std::string>& collectives = {"bcast", "reduce", "scan", "allgather"})
        : comm_(made) {
        if (comm_ == MPI_COMM_NULL) return;
        for (const std::string& one : collectives) Tuning(comm_).force(one, recipe);
    }
    Forced(Forced&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
    Forced& operator=(Forced&& other) noexcept {
        std::swap(comm_, other.comm_);
        return *this;
    }
    ~Forced() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    }
    MPI_Comm get() const { return comm_; }
    bool has_window() const {
        State* const state = State::known(comm_);
        return state != nullptr && state->own().team().link().window() != nullptr;
    }

private:
    MPI_Comm comm_;
};

MPI_Comm copy(MPI_Comm comm) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &made);
    return made;
}

MPI_Comm split(MPI_Comm comm, int color, int key) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_split(comm, color, key, &made);
    return made;
}

/// A number that identifies its rank and call.
double number(int rank, int call, std::size_t i) {
    return double(1 + rank) * 1e6 + double(call % 1000) * 1e3 + double(i % 997);
}

std::vector<double> numbers(std::size_t count, int rank, int call) {
    std::vector<double> made(count);
    for (std::size_t i = 0; i < count; ++i) made[i] = number(rank, call, i);
    return made;
}

/// Runs one call, equal on all ranks, and checks this rank's result.
void expect_right(MPI_Comm comm, int call, unsigned draw) {
    int me = 0, p = 0;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &p);
    const std::size_t count = std::array<std::size_t, 5>{1, 14, 15, 700, 12000}[draw / 8 % 5];
    const int root = int(draw / 64 % unsigned(p)), n = int(count);
    auto mine = numbers(count, me, call);
    const auto all = [&](std::size_t i, int ranks) {
        double sum = 0;
        for (int r = 0; r < ranks; ++r) sum += number(r, call, i);
        return sum;
    };
    std::vector<double> got(count * std::size_t(p), -1);
    std::size_t wrong = 0;
    switch (draw % 5) {
        case 0:
        case 1:  // roots run ahead
            bcast(mine.data(), n, MPI_DOUBLE, root, comm);
            for (std::size_t i = 0; i < count; ++i) wrong += mine[i] != number(root, call, i) ? 1 : 0;
            break;
        case 2:
            reduce(mine.data(), got.data(), n, MPI_DOUBLE, MPI_SUM, root, comm);
            for (std::size_t i = 0; i < count && me == root; ++i) wrong += got[i] != all(i, p) ? 1 : 0;
            break;
        case 3:
            scan(mine.data(), got.data(), n, MPI_DOUBLE, MPI_SUM, comm);
            for (std::size_t i = 0; i < count; ++i) wrong += got[i] != all(i, me + 1) ? 1 : 0;
            break;
        default:
            allgather(mine.data(), n, MPI_DOUBLE, got.data(), n, MPI_DOUBLE, comm);
            for (std::size_t i = 0; i < got.size(); ++i)
                wrong += got[i] != number(int(i / count), call, i % count) ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0u) << "call " << call << ", kind " << draw % 5 << ", " << count << " elements, root "
                         << root;
}

/// Every communicator made a segment of its own.
TEST(SharedBoards, serve_ten_thousand_communicators_that_come_and_go) {
    const FirstRanks ranks(2);
    if (!ranks) return;
    std::set<std::string> before;
    long files = 0;
    for (int call = 0; call < 10000; ++call) {
        const Forced comm(copy(ranks.get()), "shm", {"allreduce"});
        const double mine = number(ranks.rank(), call, 0);
        double sum = 0;
        allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm.get());
        if (sum != number(0, call, 0) + number(1, call, 0)) ADD_FAILURE() << call << ": " << sum;
        if (call == 0) {
            EXPECT_TRUE(comm.has_window());
            before = mapped();
            files = open_files();
        }
    }
    EXPECT_FALSE(before.empty());
    EXPECT_EQ(mapped(), before);
    EXPECT_EQ(open_files(), files);
}

/// Only the first 110 communicators had shared memory; the others sent messages.
TEST(SharedBoards, serve_hundreds_that_live_together) {
    for (int p = 2; p <= ranks_here; ++p) {
        const FirstRanks ranks(p);
        if (!ranks) continue;
        std::vector<Forced> all;
        std::set<std::string> after_one;
        for (int i = 0; i < 200; ++i) {
            all.emplace_back(copy(ranks.get()));
            expect_right(all.back().get(), i, 4);
            EXPECT_TRUE(all.back().has_window()) << i;
            if (i == 0) after_one = mapped();
        }
        EXPECT_EQ(mapped(), after_one);
        std::minstd_rand common{unsigned(p)};
        for (int call = 0; call < 600; ++call) {
            const auto which = common() % all.size();
            expect_right(all[which].get(), call, unsigned(common()));
            if (call % 50 == 49)
                all.erase(all.begin() + std::ptrdiff_t(common() % all.size()));  // in any order
        }
    }
}

/// Equal processes in another order, some of them, and parts of shapes: wrong results reveal a mix-up of
/// their rows.
TEST(SharedBoards, do_not_mix_orders_and_parts) {
    const FirstRanks ranks(ranks_here);
    const int me = ranks.rank();
    const std::size_t before = mapped().size();
    std::vector<Forced> all;
    all.emplace_back(copy(ranks.get()));
    all.emplace_back(split(ranks.get(), 0, -me));
    all.emplace_back(split(ranks.get(), 0, (me + 3) % ranks_here));
    all.emplace_back(split(ranks.get(), me / 3, me));
    all.emplace_back(split(ranks.get(), me / 3, -me));
    all.emplace_back(copy(ranks.get()), "leaders(size=3, shm, shm)");
    all.emplace_back(split(ranks.get(), 0, -me));
    std::minstd_rand common(7);
    for (int call = 0; call < 700; ++call) {
        const auto which = common() % all.size();
        expect_right(all[which].get(), call, unsigned(common()));
    }
    for (const Forced& one : all) EXPECT_TRUE(one.has_window() || &one == &all[5]);
    // Leaders 0 and 3 have a row of their own; the parts use the rows of the split by thirds.
    EXPECT_GT(mapped().size(), 4u);
    EXPECT_LE(mapped().size(), before + 6);
}

/// The root of a bcast does not wait: ranks that call on two communicators in different orders, which MPI
/// forbids, may not hang. The error is reported, and no rank gets data of another call.
TEST(SharedBoards, tell_ranks_that_call_in_different_orders) {
    const FirstRanks ranks(2);
    if (!ranks) return;
    const int me = ranks.rank();
    const Forced one(copy(ranks.get())), other(copy(ranks.get()));
    for (const MPI_Comm comm : {one.get(), other.get()}) {
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        expect_right(comm, 0, 4);
    }
    for (const std::size_t count : {std::size_t(1), std::size_t(700)}) {
        auto ones = numbers(count, me, 1), others = numbers(count, me, 2);
        const auto call_one = [&] { return bcast(ones.data(), int(count), MPI_DOUBLE, 0, one.get()); };
        const auto call_other = [&] { return bcast(others.data(), int(count), MPI_DOUBLE, 0, other.get()); };
        if (me == 0) {
            EXPECT_EQ(call_one(), MPI_SUCCESS);
            EXPECT_EQ(call_other(), MPI_SUCCESS);
        } else {
            EXPECT_NE(call_other(), MPI_SUCCESS);
            EXPECT_NE(call_one(), MPI_SUCCESS);
        }
        EXPECT_EQ(ones, numbers(count, me, 1));
        EXPECT_EQ(others, numbers(count, me, 2));
    }
    expect_right(one.get(), 3, 4);
}

/// One rank was in more groups than the other and has given up their common segment: it says this, and both
/// make a new one.
TEST(SharedBoards, are_made_anew_where_a_rank_has_given_them_up) {
    const FirstRanks ranks(ranks_here);
    const int me = ranks.rank();
    const auto use_once = [&](int a, int b, int call) {
        const Forced comm(split(ranks.get(), me == a || me == b ? 0 : MPI_UNDEFINED, me == a ? 0 : 1));
        if (comm.get() == MPI_COMM_NULL) return;
        expect_right(comm.get(), call, 4);
        expect_right(comm.get(), call, 0);
        EXPECT_TRUE(comm.has_window());
    };
    use_once(0, 1, 0);
    use_once(0, 1, 1);
    const auto both_had = mapped();
    int call = 2;
    for (const int other : {2, 3, 4}) {
        use_once(1, other, call++);
        use_once(other, 1, call++);
    }
    use_once(0, 1, call);
    if (me == 0) {
        EXPECT_EQ(mapped().size(), both_had.size());
        EXPECT_NE(mapped(), both_had);
    }
}

}  // namespace
}  // namespace echelon
