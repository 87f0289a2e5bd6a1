// SPDX-License-Identifier: Apache-2.0
// Threads act as the ranks of a node, on a real board: for the thread sanitizer, and with random delays that
// make ranks meet in all orders.
#include "flat/algorithm.hpp"
#include "shm/board.hpp"
#include "shm/segment.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>

namespace echelon {
namespace {

/// Few small slots, which short vectors use many times, beside their lines and in them.
constexpr WindowShape tight{.depth = 5, .slot = 160}, usual{};
/// Slightly longer vectors are read in place.
constexpr WindowShape exposing{.depth = 5, .slot = 160, .expose_from = 64};

/// A value that records its operands: combining does not commute, which reveals the order of ranks.
using Value = std::uint64_t;
Value combined(Value left, Value right) { return left * 1099511628211u + (right ^ 0x9E3779B97F4A7C15u); }
Value value(int rank, std::size_t element, int call) {
    return (Value(rank) << 40) + (Value(call) << 20) + element + 1;
}

/// Link of a thread: only a window and a vector.
class ThreadLink final : public Link, private Window {
public:
    /// Copies by system calls fail now and then if `some_fail`.
    ThreadLink(std::byte* memory, int rank, int size, WindowShape shape, Patience patience, unsigned seed,
               bool some_fail)
        : Link(rank, size, sizeof(Value)),
          Window(shape),
          board_(memory, rank, size, shape, patience),
          random_(seed),
          some_fail_(some_fail) {
        board_.introduce();
    }

    std::vector<Value> data;

    Window* window() override { return this; }
    Ticket start_send(int, Slice) override { throw std::logic_error("a message"); }
    Ticket start_receive(int, Slice) override { throw std::logic_error("a message"); }
    void wait(Ticket) override {}
    void reduce(Slice, Slice, Side) override { throw std::logic_error("messages are combined"); }
    void copy(Slice into, Slice from) override {
        std::copy_n(data.begin() + std::ptrdiff_t(from.offset), from.count,
                    data.begin() + std::ptrdiff_t(into.offset));
    }

private:
    void put(std::size_t round, Slice what, std::size_t /*whole*/) override {
        delay();
        std::byte* const slot = board_.fill(board_.next_round + round, what.count * sizeof(Value));
        if (!what.empty()) std::memcpy(slot, &data[what.offset], what.count * sizeof(Value));
        delay();
        board_.filled(board_.next_round + round);
    }
    void expose(std::size_t round, Slice what) override {
        delay();
        board_.expose(board_.next_round + round, data.data() + what.offset, what.count * sizeof(Value));
    }
    void offer(std::size_t round, Slice into) override { expose(round, into); }
    void accept(std::size_t) override {}
    void give(std::size_t round, int owner, std::size_t offset, Slice what) override {
        delay();
        const auto put = board_.put_by(owner, board_.next_round + round);
        if (what.empty()) return;
        const std::byte* const into = put.bytes + offset * sizeof(Value);
        const Bytes bytes = what.count * sizeof(Value);
        if (fails()) return board_.give_by_owner(owner, into, data.data() + what.offset, bytes);
        std::memcpy(const_cast<std::byte*>(into), data.data() + what.offset, bytes);
        if (board_.give(owner, into, data.data() + what.offset, bytes) != 0)
            throw std::logic_error("what is exposed cannot be written");
    }
    void withdraw(std::size_t rounds) override {
        delay();
        board_.await_left(board_.next_round + rounds);
    }
    /// Exposed data is read twice: here, where the sanitizer sees it, and by the system call.
    void read(Value* into, std::size_t round, int owner, std::size_t offset, std::size_t count) {
        const auto put = board_.put_by(owner, board_.next_round + round);
        if (count == 0) return;
        const std::byte* const from = put.bytes + offset * sizeof(Value);
        if (put.exposed && fails()) return board_.copy_by_owner(into, owner, from, count * sizeof(Value));
        std::memcpy(into, from, count * sizeof(Value));
        if (!put.exposed) return;
        delay();
        std::vector<Value> again(count);
        if (board_.copy(again.data(), owner, from, count * sizeof(Value)) != 0 ||
            !std::equal(again.begin(), again.end(), into))
            throw std::logic_error("what is exposed changes");
    }
    void get(std::size_t round, int owner, std::size_t offset, Slice into) override {
        delay();
        read(data.data() + into.offset, round, owner, offset, into.count);
    }
    void fold(std::size_t round, int last, std::size_t offset, Slice into) override {
        std::vector<Value> sum(into.count);
        for (int rank = 0; rank < last; ++rank) {
            delay();
            std::vector<Value> operand(data.begin() + std::ptrdiff_t(into.offset),
                                       data.begin() + std::ptrdiff_t(into.end()));
            if (rank != this->rank()) read(operand.data(), round, rank, offset, into.count);
            for (std::size_t i = 0; i < into.count; ++i)
                sum[i] = rank == 0 ? operand[i] : combined(sum[i], operand[i]);
        }
        std::copy(sum.begin(), sum.end(), data.begin() + std::ptrdiff_t(into.offset));
    }
    void leave(std::size_t rounds) override {
        delay();
        board_.leave(board_.next_round + rounds);
    }
    void end(std::size_t rounds) override {
        leave(rounds);
        board_.next_round += rounds;
    }
    Slice take(std::size_t) override { throw std::logic_error("scratch space"); }
    void drop(std::size_t) override {}
    std::size_t height() const override { return 0; }

    bool fails() { return some_fail_ && random_() % 2 == 0; }
    void delay() {
        if (random_() % 16 == 0) std::this_thread::yield();
        if (random_() % 512 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 300));
    }

    Board board_;
    std::minstd_rand random_;
    bool some_fail_;
};

/// Runs equal random calls on all threads and checks each one.
void play(int p, const WindowShape& shape, Patience patience, int calls, unsigned seed,
          bool some_fail = false) {
    auto segment = Segment::make(Board::bytes_of(p, shape));
    ASSERT_TRUE(segment);
    std::mutex mutex;
    std::vector<std::string> wrong;
    const auto rank_plays = [&](int me) {
        ThreadLink link(segment->memory(), me, p, shape, patience, seed * 97 + unsigned(me) + 1, some_fail);
        std::minstd_rand common(seed);
        for (int call = 0; call < calls; ++call) {
            constexpr std::array collectives{Collective::allreduce, Collective::reduce, Collective::bcast,
                                             Collective::barrier};
            const Collective collective = collectives[common() % collectives.size()];
            const std::size_t most = std::array<std::size_t, 3>{3, 40, 1500}[common() % 3];
            const std::size_t count = collective == Collective::barrier ? 0 : common() % most;
            const int root = rooted(collective) ? int(common() % unsigned(p)) : 0;
            link.data.resize(count);
            for (std::size_t i = 0; i < count; ++i) link.data[i] = value(me, i, call);
            find_algorithm(collective, "shm")->body(link, {.data = {0, count}, .blocks = {}, .root = root});
            const bool has_result = collective != Collective::reduce || me == root;
            for (std::size_t i = 0; i < count && has_result; ++i) {
                Value expected = value(collective == Collective::bcast ? root : 0, i, call);
                for (int r = 1; r < p && collective != Collective::bcast; ++r)
                    expected = combined(expected, value(r, i, call));
                if (link.data[i] == expected) continue;
                const std::scoped_lock lock(mutex);
                wrong.push_back(std::string(name(collective)) + " of " + std::to_string(count) + ", call " +
                                std::to_string(call) + ", rank " + std::to_string(me));
                break;
            }
        }
    };
    std::vector<std::thread> threads;
    for (int me = 0; me < p; ++me) threads.emplace_back(rank_plays, me);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<std::string>{}) << p << " ranks, slots of " << shape.slot;
}

TEST(ShmThreads, play_all_collectives_in_tight_slots) {
    for (const int p : {2, 3, 5}) play(p, tight, {.spins = 100}, 100, unsigned(p));
}

TEST(ShmThreads, play_all_collectives_in_usual_slots) {
    for (const int p : {2, 4, 7}) play(p, usual, {.spins = 100}, 100, unsigned(p) + 50);
}

TEST(ShmThreads, play_all_collectives_where_memory_is_exposed) {
    if (!PeerMemory::own().can_be_reached()) GTEST_SKIP() << "the system lets nobody read it";
    for (const int p : {2, 3, 5}) play(p, exposing, {.spins = 100}, 100, unsigned(p) + 150);
}

/// The owners of exposed memory copy if a system call fails; they may sleep at that time.
TEST(ShmThreads, play_all_collectives_where_some_copies_fail) {
    if (!PeerMemory::own().can_be_reached()) GTEST_SKIP() << "the system lets nobody read it";
    for (const int p : {2, 3, 4, 5}) {
        play(p, exposing, {.spins = 100}, 100, unsigned(p) + 250, true);
        play(p, exposing, {.spins = 0}, 100, unsigned(p) + 350, true);
    }
}

/// Ranks never spin, and are often late enough for the others to sleep.
TEST(ShmThreads, wake_each_other) {
    static std::atomic<int> asked;
    asked = 0;
    play(3, tight, {.spins = 0, .progress = [] { return ++asked % 2 == 0; }}, 100, 7);
    EXPECT_GT(asked.load(), 0);
}

/// A rank for which others wait elsewhere does not sleep before they have what they need.
TEST(Patience, goes_on_without_sleep_while_others_wait) {
    static std::atomic<int> asked;
    asked = 0;
    const auto long_nap = std::chrono::seconds(100);
    Bell bell;
    Patience{.spins = 0, .nap = long_nap, .progress = [] { return ++asked < 1000; }}.wait(
        bell, [] { return asked == 1000; });
    EXPECT_EQ(asked, 1000);
}

TEST(Bell, rings_whoever_sleeps) {
    Bell bell;
    std::atomic<bool> ready = false;
    std::thread sleeper(
        [&] { Patience{.spins = 0}.wait(bell, [&] { return ready.load(std::memory_order_acquire); }); });
    while (bell.sleepers.load() == 0) std::this_thread::yield();
    ready.store(true, std::memory_order_release);
    bell.ring();
    sleeper.join();
    EXPECT_GE(bell.rings.load(), 1u);
}

/// Memory of another process is readable unless the process has ended or another one has its number.
TEST(PeerMemory, is_read_by_another_process) {
    const std::vector<Value> values(100000, 42);
    const PeerMemory own = PeerMemory::own();
    if (!own.can_be_reached()) GTEST_SKIP() << "the system lets nobody read it";
    const pid_t child = fork();
    if (child == 0) {
        std::vector<Value> read(values.size());
        PeerMemory other = own;
        ++other.mark;
        const int error = own.read(read.data(), std::uint64_t(values.data()), read.size() * sizeof(Value));
        const bool nowhere = own.read(read.data(), 4096, sizeof(Value)) == EFAULT;
        _exit(own.can_be_reached() && error == 0 && read == values && !other.can_be_reached() && nowhere ? 0
                                                                                                         : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    PeerMemory ended = own;
    ended.process = child;
    EXPECT_EQ(ended.read(&status, std::uint64_t(&status), sizeof status), ESRCH);
    EXPECT_FALSE(ended.can_be_reached());
}

/// Another process opens it, and nothing is left of it in /dev/shm.
TEST(Segment, is_shared_with_another_process_and_has_no_name) {
    auto made = Segment::make(4096);
    ASSERT_TRUE(made);
    const Segment::Address address = made->address();
    const pid_t child = fork();
    if (child == 0) {
        auto opened = Segment::open(address);
        if (opened) *opened->memory() = std::byte{42};
        _exit(opened ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(*made->memory(), std::byte{42});
}

/// Making a longer file than is allowed would end the process.
TEST(Segment, is_not_made_where_files_may_not_be_that_long) {
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit little{.rlim_cur = 4096, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
    EXPECT_FALSE(Segment::make(4096));
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_TRUE(Segment::make(4096));
}

TEST(Segment, is_not_opened_where_another_file_has_its_number) {
    auto made = Segment::make(4096), other = Segment::make(4096);
    ASSERT_TRUE(made && other);
    Segment::Address address = made->address();
    EXPECT_TRUE(Segment::open(address));
    address.file = other->address().file;
    EXPECT_FALSE(Segment::open(address));
    address = made->address();
    made->hide();
    EXPECT_FALSE(Segment::open(address));
    EXPECT_FALSE(Segment::open({}));
}

}  // namespace
}  // namespace echelon
