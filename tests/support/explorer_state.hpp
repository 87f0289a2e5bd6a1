// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace echelon::explorer {

constexpr std::size_t most_threads = 3;

/// Vector clock. A thread knows all actions of another thread up to the stamp of that thread in its clock.
using Clock = std::array<std::uint16_t, most_threads>;

inline void join(Clock& into, const Clock& other) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
}

struct Store {
    std::uint64_t value = 0;
    std::uint8_t thread = 0;
    std::uint16_t stamp = 0;  // stamp of its thread at the store
    Clock released = {};      // knowledge that an acquire takes over
};

/// A place in memory. Atomic: its stores in order. Plain: the last write and the last reads.
struct Cell {
    std::vector<Store> stores{1};
    Clock reads = {};
};

struct Thread {
    std::size_t step = 0;
    std::vector<std::byte> locals;   // at the beginning of the step
    std::vector<std::uint64_t> log;  // results of the step until here
    Clock clock = {};
    std::vector<std::uint16_t> seen;  // by place: the oldest store that may still be found
    int asleep_at = -1;
};

/// Positions of all threads, and contents of memory with the values that each thread may still find.
struct State {
    std::vector<Cell> cells;
    std::vector<Thread> threads;
    /// An atomic load may find an older store, as long as its thread does not know of a younger one.
    bool stale_loads = true;

    /// Index of the oldest store that a thread may find.
    std::size_t lower(std::size_t thread, std::size_t place) const;
    /// A thread that returns from the system sees all earlier stores; this orders nothing else.
    void look_up(std::size_t thread);
    /// Makes states equal that differ in nothing that can still be found.
    void tidy();
    /// Equal for equal states only. Requires: tidy().
    std::string key() const;

private:
    /// Renumbers stamps: only their order counts, and knowledge that all threads share is past.
    void number_stamps_anew();
};

inline bool knows(const Thread& thread, const Store& store) {
    return store.stamp <= thread.clock[store.thread];
}

inline std::uint16_t& seen(Thread& thread, std::size_t place) {
    if (thread.seen.size() <= place) thread.seen.resize(place + 1);
    return thread.seen[place];
}

}  // namespace echelon::explorer
