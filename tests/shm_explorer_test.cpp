// SPDX-License-Identifier: Apache-2.0
// The code of src/shm/board and patience in all orders in which ranks can meet, with the loads that acquire
// and release allow. Slots and lines are reused several times, and the counters must order all accesses to
// every byte that is put.
#include "shm/board.hpp"
#include "support/explorer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <chrono>
#include <cstring>

namespace echelon {
namespace {

struct Explored {
    template <class T>
    using Atomic = explorer::Atomic<T>;
    template <class T>
    using Plain = explorer::Plain<T>;
    static constexpr std::size_t lines = 5;
};
/// Waiting ranks poll and never sleep.
struct Polling : Explored {};
/// Waiting ranks sleep and never spin or yield.
struct Sleeping : Explored {
    using Progress = void (*)();
    static void relax() {}
    static void yield() {}
    static void sleep(const Atomic<std::uint32_t>& word, std::uint32_t heard, std::chrono::nanoseconds) {
        explorer::sleep(&word, heard);
    }
    static void wake(Atomic<std::uint32_t>& word) { explorer::wake(&word); }
};

}  // namespace

template <>
struct BellOn<Polling> {
    std::uint64_t silent = 0;
    void ring() {}
};
template <>
struct PatienceOn<Polling> {
    std::uint64_t spins;
    template <class Ready>
    void wait(BellOn<Polling>&, const Ready& ready) const {
        explorer::await(ready);
    }
};

namespace {

using testing::HasSubstr;

/// An action of a rank. Ranks run their actions one after the other.
struct Act {
    enum class Kind { put, put_too_late, get, leave } kind;
    std::uint64_t round;  // leave: rounds
    int owner = 0;
    Bytes bytes = 8;
};
using Acts = std::vector<Act>;

std::uint64_t content(int owner, std::uint64_t round) { return std::uint64_t(owner + 1) * 1000 + round; }

template <class On>
void perform(BoardOn<On>& board, const Act& act) {
    switch (act.kind) {
        case Act::Kind::put:
        case Act::Kind::put_too_late: {
            std::byte* const place = board.fill(act.round, act.bytes);
            if (act.kind == Act::Kind::put_too_late) board.filled(act.round);
            explorer::write(place, content(board.rank(), act.round));
            if (act.bytes > 8) explorer::write(place + act.bytes - 8, content(board.rank(), act.round));
            if (act.kind == Act::Kind::put) board.filled(act.round);
            break;
        }
        case Act::Kind::get: {
            const auto put = board.put_by(act.owner, act.round);
            if (put.count != act.bytes) explorer::fail("another length was put");
            if (explorer::read(put.bytes) != content(act.owner, act.round) ||
                explorer::read(put.bytes + act.bytes - 8) != content(act.owner, act.round))
                explorer::fail("another round is found");
            break;
        }
        case Act::Kind::leave:
            board.leave(act.round);
    }
}

/// Lines for five rounds, a ring for three slots.
constexpr WindowShape shape{.depth = 2, .slot = 256};
constexpr Bytes in_line = 8, in_slot = 250, in_half = 120;

/// Memory for the boards of three ranks; only its addresses count, not its contents.
alignas(128) std::array<std::byte, 8192> memory;

/// Each act is a step: states of ranks at the same act with the same board are equal.
template <class On>
explorer::Found explored(const std::vector<Acts>& ranks, explorer::Rules rules) {
    using Board = BoardOn<On>;
    static_assert(std::is_trivially_copyable_v<Board>);
    const int size = int(ranks.size());
    if (Board::bytes_of(size, shape) > memory.size()) throw std::logic_error("too little memory");
    std::vector<explorer::Program> programs(ranks.size());
    std::vector<std::byte> locals(ranks.size() * sizeof(Board));
    for (int rank = 0; rank < size; ++rank) {
        void* const own = &locals[std::size_t(rank) * sizeof(Board)];
        const Board board(memory.data(), rank, size, shape, {.spins = 0});
        std::memcpy(own, &board, sizeof board);
        for (const Act& act : ranks[std::size_t(rank)])
            programs[std::size_t(rank)].push_back(
                [act](void* at) { perform(*static_cast<Board*>(at), act); });
    }
    return explorer::explore(programs, locals, memory.data(), std::move(rules));
}

explorer::Found poll(const std::vector<Acts>& ranks, explorer::Rules rules = {}) {
    return explored<Polling>(ranks, std::move(rules));
}
explorer::Found doze(const std::vector<Acts>& ranks, explorer::Rules rules) {
    return explored<Sleeping>(ranks, std::move(rules));
}

/// Each rank puts in all rounds and gets from all others; `ahead` rounds are put before the first is read.
std::vector<Acts> all_to_all(int p, std::uint64_t rounds, const std::vector<Bytes>& lengths,
                             std::uint64_t ahead = 0) {
    std::vector<Acts> ranks(static_cast<std::size_t>(p));
    for (int me = 0; me < p; ++me)
        for (std::uint64_t step = 0; step < rounds + ahead; ++step) {
            Acts& acts = ranks[std::size_t(me)];
            const auto bytes = [&](std::uint64_t round) { return lengths[round % lengths.size()]; };
            if (step < rounds) acts.push_back({Act::Kind::put, step, me, bytes(step)});
            if (step < ahead) continue;
            for (int owner = 0; owner < p; ++owner)
                if (owner != me) acts.push_back({Act::Kind::get, step - ahead, owner, bytes(step - ahead)});
            acts.push_back({Act::Kind::leave, step - ahead + 1});
        }
    return ranks;
}

/// One rank puts in all rounds and the others get, or the others put and one rank gets.
std::vector<Acts> one_and_others(int p, std::uint64_t rounds, const std::vector<Bytes>& lengths,
                                 bool one_gives) {
    std::vector<Acts> ranks(static_cast<std::size_t>(p));
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const Bytes bytes = lengths[round % lengths.size()];
        for (int me = 0; me < p; ++me) {
            Acts& acts = ranks[std::size_t(me)];
            if ((me == 0) == one_gives)
                acts.push_back({Act::Kind::put, round, me, bytes});
            else if (one_gives)
                acts.push_back({Act::Kind::get, round, 0, bytes});
            else
                for (int owner = 1; owner < p; ++owner) acts.push_back({Act::Kind::get, round, owner, bytes});
            acts.push_back({Act::Kind::leave, round + 1});
        }
    }
    return ranks;
}

void expect_sound(const explorer::Found& found) {
    EXPECT_EQ(found.defect, "");
    EXPECT_GE(found.ends, 1u);
}

TEST(BoardExplored, two_ranks_go_around_lines_and_slots) {
    for (const std::vector<Bytes>& lengths : {std::vector<Bytes>{in_line},
                                              {in_slot},
                                              {in_line, in_slot},
                                              {in_slot, in_slot, in_line},
                                              {in_half},
                                              {in_slot, in_half},
                                              {in_half, in_half, in_slot, in_line, in_slot}}) {
        expect_sound(poll(all_to_all(2, 8, lengths)));
        expect_sound(poll(all_to_all(2, 7, lengths, 1)));
        expect_sound(poll(one_and_others(2, 8, lengths, true)));
        expect_sound(poll(one_and_others(2, 8, lengths, false)));
    }
}

TEST(BoardExplored, three_ranks_go_around_lines_and_slots) {
    for (const std::vector<Bytes>& lengths : {std::vector<Bytes>{in_line}, {in_slot, in_line}}) {
        expect_sound(poll(all_to_all(3, 4, lengths)));
        expect_sound(poll(one_and_others(3, 6, lengths, true)));
        expect_sound(poll(one_and_others(3, 4, lengths, false)));
    }
}

/// Algorithms rely on this: at any position of the ring, `depth` rounds can be put without a reader.
TEST(BoardExplored, has_room_for_as_many_slots_as_it_says) {
    const std::array lengths{in_slot, in_half, in_slot, in_slot, in_line, in_half, in_half, in_slot, in_half};
    for (std::uint64_t skipped = 0; skipped < lengths.size(); ++skipped)
        for (std::uint64_t read = 0; read < lengths.size(); ++read) {
            std::vector<Acts> ranks(2);
            for (std::uint64_t round = 0; round < read + shape.depth; ++round) {
                const Bytes bytes = round < read ? lengths[(skipped + round) % lengths.size()] : in_slot;
                ranks[0].push_back({Act::Kind::put, round, 0, bytes});
                if (round >= read) continue;
                ranks[1].push_back({Act::Kind::get, round, 0, bytes});
                ranks[1].push_back({Act::Kind::leave, round + 1});
            }
            expect_sound(poll(ranks));
        }
}

/// If loads find the newest value, every sleeper is woken without the time-out.
TEST(BoardExplored, whoever_sleeps_is_woken) {
    const explorer::Rules newest{.stale_loads = false};
    expect_sound(doze(all_to_all(2, 2, {in_line}), newest));
    for (const bool one_gives : {true, false}) {
        expect_sound(doze(one_and_others(2, 3, {in_slot}, one_gives), newest));  // both wait
        expect_sound(doze(one_and_others(3, 1, {in_line}, one_gives), newest));
    }
}

/// A bell has no fence: a rank that rings may look for sleepers before others see its store. The time-out
/// covers this case.
TEST(BoardExplored, whoever_is_not_seen_asleep_looks_up_by_itself) {
    for (const auto& ranks : {all_to_all(2, 1, {in_line}), one_and_others(2, 2, {in_slot}, true)}) {
        EXPECT_THAT(doze(ranks, {.stale_loads = true}).defect, HasSubstr("a thread sleeps for ever"));
        const explorer::Found found = doze(ranks, {.stale_loads = true, .time_out = true});
        expect_sound(found);
        EXPECT_GT(found.time_outs, 0u);
    }
}

/// Rank 0 puts, rank 1 gets. (If both put in every round, no rank runs far enough ahead to wait.)
std::vector<Acts> usual() { return one_and_others(2, 6, {in_line, in_slot}, true); }

TEST(Explorer, finds_a_round_that_is_filled_before_its_bytes) {
    std::vector<Acts> ranks = usual();
    expect_sound(poll(ranks));
    ranks[0][6].kind = Act::Kind::put_too_late;
    EXPECT_THAT(poll(ranks).defect, HasSubstr("a race"));
}

/// Some executions meet this as a race, others read bytes of another round.
const auto overwritten = testing::AnyOf(HasSubstr("a race"), HasSubstr("another"));

TEST(Explorer, finds_a_slot_that_is_filled_while_others_read) {
    explorer::Rules hasty;
    hasty.ignored = [row = BoardOn<Polling>::bytes_of(1, shape)](std::size_t offset) {
        return offset % row == 0;
    };
    EXPECT_THAT(poll(usual(), hasty).defect, overwritten);
    // No rank needs to wait until a line is used again.
    expect_sound(poll(one_and_others(2, Explored::lines, {in_line}, true), hasty));
}

TEST(Explorer, finds_who_leaves_before_it_reads) {
    std::vector<Acts> ranks = usual();
    for (std::size_t i = 0; i < ranks[1].size(); i += 2) std::swap(ranks[1][i], ranks[1][i + 1]);
    EXPECT_THAT(poll(ranks).defect, overwritten);
}

TEST(Explorer, finds_who_never_leaves) {
    std::vector<Acts> ranks = usual();
    std::erase_if(ranks[1], [](const Act& act) { return act.kind == Act::Kind::leave; });
    EXPECT_THAT(poll(ranks).defect, HasSubstr("a thread waits for ever"));
    EXPECT_THAT(doze(ranks, {.stale_loads = false}).defect, HasSubstr("a thread sleeps for ever"));
}

TEST(Explorer, finds_orders_that_are_too_weak) {
    EXPECT_THAT(poll(usual(), {.releases_are_relaxed = true}).defect, HasSubstr("a race"));
    EXPECT_THAT(poll(usual(), {.acquires_are_relaxed = true}).defect, HasSubstr("a race"));
}

TEST(Explorer, finds_wakes_that_are_lost) {
    const std::vector<Acts> ranks = all_to_all(2, 2, {in_line});
    EXPECT_THAT(doze(ranks, {.stale_loads = false, .wakes_are_lost = true}).defect,
                HasSubstr("a thread sleeps for ever"));
    EXPECT_THAT(doze(ranks, {.stale_loads = false, .sleepers_do_not_look = true}).defect,
                HasSubstr("a thread sleeps for ever"));
}

/// Textbook cases of the memory model.
TEST(Explorer, knows_the_memory_model) {
    const auto at = [](std::size_t number) { return memory.data() + 8 * number; };
    constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire,
                   release = std::memory_order_release;
    // Both may miss each other's store, unless loads find the newest.
    const auto meet = [&](std::size_t own, std::size_t other) {
        return explorer::Program{[=](void*) {
            explorer::store(at(own), 1, release);
            explorer::store(at(own + 2), 1 + explorer::load(at(other), acquire), relaxed);
            if (explorer::load(at(own + 2), relaxed) == 1 && explorer::load(at(other + 2), relaxed) == 1)
                explorer::fail("both missed it");
        }};
    };
    EXPECT_THAT(explorer::explore({meet(0, 1), meet(1, 0)}, {}, memory.data()).defect,
                HasSubstr("both missed it"));
    EXPECT_EQ(explorer::explore({meet(0, 1), meet(1, 0)}, {}, memory.data(), {.stale_loads = false}).defect,
              "");
    // Actions before a release are seen after the acquire that finds it; a place never goes back to an older
    // value.
    const explorer::Program says{[=](void*) {
        explorer::write(at(0), 42);
        explorer::store(at(1), 1, release);
        explorer::store(at(1), 2, release);
    }};
    const explorer::Program hears{[=](void*) {
        const std::uint64_t first = explorer::load(at(1), acquire);
        if (explorer::load(at(1), acquire) < first) explorer::fail("it went back");
        if (first > 0 && explorer::read(at(0)) != 42) explorer::fail("it was not seen");
    }};
    const explorer::Found found = explorer::explore({says, hears}, {}, memory.data());
    EXPECT_EQ(found.defect, "");
    EXPECT_GT(found.ends, 3u);
    const explorer::Program looks{[=](void*) {
        if (explorer::load(at(1), relaxed) > 0) (void)explorer::read(at(0));
    }};
    EXPECT_THAT(explorer::explore({says, looks}, {}, memory.data()).defect, HasSubstr("a race"));
}

}  // namespace
}  // namespace echelon
