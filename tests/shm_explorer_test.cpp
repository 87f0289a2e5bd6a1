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
    static void copy(std::byte* into, const std::byte* from, std::size_t bytes);
};
/// Waiting ranks poll and never sleep.
struct Polling : Explored {};
/// Waiting ranks sleep and never spin or yield.
struct Sleeping : Explored {
    using Progress = bool (*)();
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
    enum class Kind {
        put,
        put_too_late,
        get,
        leave,
        end,
        expose,
        get_by_owner,
        give_by_owner,
        withdraw,
        find_given
    } kind;
    std::uint64_t round;  // leave, end, withdraw: rounds
    int owner = 0;
    Bytes bytes = 8;
};
using Acts = std::vector<Act>;

std::uint64_t content(int owner, std::uint64_t round) { return std::uint64_t(owner + 1) * 1000 + round; }

/// Memory for the boards of three ranks, and two buffers for each: one that it exposes and one for its calls.
/// Only addresses count here, not contents.
alignas(128) std::array<std::byte, 8192> memory;
constexpr Bytes board_bytes = 5120, buffer_bytes = 512;
enum class Buffer { exposed, own };
std::byte* buffer(int rank, Buffer which) {
    return memory.data() + board_bytes + (2 * Bytes(rank) + Bytes(which)) * buffer_bytes;
}
/// Lines for five rounds, a ring for three slots.
constexpr WindowShape shape{.depth = 2, .slot = 256};
constexpr Bytes in_line = 8, in_slot = 250, in_half = 120, in_two_pieces = shape.slot + 8;

/// Offsets of the words that count: the first and the last one of each piece.
std::vector<Bytes> words(Bytes bytes) {
    if (bytes <= shape.slot) return {0, bytes - 8};
    return {0, shape.slot - 8, shape.slot, bytes - 8};
}
void fill(std::byte* at, Bytes bytes, std::uint64_t value) {
    for (const Bytes word : words(bytes)) explorer::write(at + word, value);
}
void expect_filled(const std::byte* at, Bytes bytes, std::uint64_t value) {
    for (const Bytes word : words(bytes))
        if (explorer::read(at + word) != value) explorer::fail("another value is found");
}
void Explored::copy(std::byte* into, const std::byte* from, std::size_t bytes) {
    for (const Bytes word : words(bytes)) explorer::write(into + word, explorer::read(from + word));
}
/// Ranks give to places of their own.
std::byte* place_of(int rank, std::byte* given) { return given + 8 * rank; }

template <class On>
void perform(BoardOn<On>& board, const Act& act) {
    const int me = board.rank();
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
            break;
        case Act::Kind::end:
            board.leave(act.round);
            board.next_round = act.round;
            break;
        case Act::Kind::expose:
            fill(buffer(me, Buffer::exposed), act.bytes, content(me, act.round));
            board.expose(act.round, buffer(me, Buffer::exposed), act.bytes);
            break;
        case Act::Kind::get_by_owner: {
            const auto put = board.put_by(act.owner, act.round);
            board.copy_by_owner(buffer(me, Buffer::own), act.owner, put.bytes, act.bytes);
            expect_filled(buffer(me, Buffer::own), act.bytes, content(act.owner, act.round));
            break;
        }
        case Act::Kind::give_by_owner: {
            const auto put = board.put_by(act.owner, act.round);
            fill(buffer(me, Buffer::own), act.bytes, content(me, act.round));
            board.give_by_owner(act.owner, place_of(me, buffer(act.owner, Buffer::exposed)),
                                buffer(me, Buffer::own), act.bytes);
            if (put.bytes != buffer(act.owner, Buffer::exposed)) explorer::fail("another address is found");
            break;
        }
        case Act::Kind::withdraw:
            board.await_left(act.round);
            break;
        case Act::Kind::find_given:
            expect_filled(place_of(act.owner, buffer(me, Buffer::exposed)), act.bytes,
                          content(act.owner, act.round));
    }
}

/// Each act is a step: states of ranks at the same act with the same board are equal.
template <class On>
explorer::Found explored(const std::vector<Acts>& ranks, explorer::Rules rules) {
    using Board = BoardOn<On>;
    static_assert(std::is_trivially_copyable_v<Board>);
    const int size = int(ranks.size());
    if (Board::bytes_of(size, shape) > board_bytes) throw std::logic_error("too little memory");
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

/// An allgather: all ranks expose and copy from all others.
std::vector<Acts> all_expose(int p, Bytes bytes, std::uint64_t round = 0) {
    std::vector<Acts> ranks(static_cast<std::size_t>(p));
    for (int me = 0; me < p; ++me) {
        Acts& acts = ranks[std::size_t(me)];
        acts.push_back({Act::Kind::expose, round, me, bytes});
        for (int step = 1; step < p; ++step)
            acts.push_back({Act::Kind::get_by_owner, round, (me + step) % p, bytes});
        acts.push_back({Act::Kind::leave, round + 1});
        acts.push_back({Act::Kind::withdraw, round + 1});
        acts.push_back({Act::Kind::end, round + 1});
    }
    return ranks;
}

/// A broadcast: the others copy from rank 0, which gives to them as well.
std::vector<Acts> one_exposes(int p, Bytes bytes, bool gives) {
    std::vector<Acts> ranks(static_cast<std::size_t>(p));
    for (int me = 0; me < p; ++me) {
        Acts& acts = ranks[std::size_t(me)];
        if (me == 0 || gives) acts.push_back({Act::Kind::expose, 0, me, bytes});
        if (me == 0) {
            for (int other = 1; other < p && gives; ++other)
                acts.push_back({Act::Kind::give_by_owner, 0, other, 8});
            acts.push_back({Act::Kind::put, 1});
            acts.push_back({Act::Kind::leave, 2});
            acts.push_back({Act::Kind::withdraw, 2});
        } else {
            acts.push_back({Act::Kind::get_by_owner, 0, 0, bytes});
            acts.push_back({Act::Kind::get, 1, 0});
            if (gives) acts.push_back({Act::Kind::find_given, 0, 0});
        }
        acts.push_back({Act::Kind::end, 2});
    }
    return ranks;
}

/// A gather: the others give to rank 0.
std::vector<Acts> one_is_given(int p, Bytes bytes) {
    std::vector<Acts> ranks(static_cast<std::size_t>(p));
    ranks[0] = {{Act::Kind::expose, 0, 0, bytes}, {Act::Kind::leave, 1}, {Act::Kind::withdraw, 1}};
    for (int me = 1; me < p; ++me) {
        ranks[0].push_back({Act::Kind::find_given, 0, me, bytes});
        ranks[std::size_t(me)] = {{Act::Kind::give_by_owner, 0, 0, bytes}, {Act::Kind::end, 1}};
    }
    return ranks;
}

TEST(BoardExplored, owners_copy_for_ranks_that_may_not) {
    for (const Bytes bytes : {in_line, in_two_pieces}) {
        expect_sound(poll(all_expose(2, bytes)));
        for (const bool gives : {false, true}) expect_sound(poll(one_exposes(2, bytes, gives)));
        expect_sound(poll(one_is_given(2, bytes)));
    }
    expect_sound(poll(all_expose(3, in_line)));
    for (const bool gives : {false, true}) expect_sound(poll(one_exposes(3, in_line, gives)));
    expect_sound(poll(one_is_given(3, in_line)));
}

/// The ring of the asking rank holds earlier slots, which the others have not all read, and later ones.
TEST(BoardExplored, owners_copy_between_rounds_of_slots) {
    std::vector<Acts> ranks(2);
    const auto slots = [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t round = begin; round < end; ++round) {
            ranks[1].push_back({Act::Kind::put, round, 1, in_slot});
            ranks[0].push_back({Act::Kind::get, round, 1, in_slot});
            ranks[0].push_back({Act::Kind::end, round + 1});
            ranks[1].push_back({Act::Kind::end, round + 1});
        }
    };
    slots(0, 3);
    const std::vector<Acts> exposed = all_expose(2, in_two_pieces, 3);
    for (std::size_t i = 0; i < 2; ++i) ranks[i].insert(ranks[i].end(), exposed[i].begin(), exposed[i].end());
    slots(4, 7);
    expect_sound(poll(ranks));
}

TEST(BoardExplored, whoever_sleeps_is_woken_to_answer) {
    const explorer::Rules newest{.stale_loads = false};
    expect_sound(doze(one_is_given(2, in_line), newest));
    expect_sound(doze(one_exposes(2, in_line, false), newest));
}

TEST(Explorer, finds_an_owner_that_does_not_answer) {
    std::vector<Acts> ranks = one_exposes(2, in_line, false);
    expect_sound(poll(ranks));
    // The owner believes that the call has ended, and waits without answering.
    std::swap(ranks[0][3], ranks[0][4]);
    EXPECT_THAT(poll(ranks).defect, HasSubstr("a thread waits for ever"));
}

TEST(Explorer, finds_answers_whose_orders_are_too_weak) {
    EXPECT_THAT(poll(one_is_given(2, in_line), {.releases_are_relaxed = true}).defect, HasSubstr("a race"));
    EXPECT_THAT(poll(one_is_given(2, in_line), {.acquires_are_relaxed = true}).defect, HasSubstr("a race"));
}

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
