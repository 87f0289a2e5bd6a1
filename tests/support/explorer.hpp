// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace echelon::explorer {

/// A thread's program, in steps. Its state between steps lies in its locals, which are copied as bytes. A
/// step runs repeatedly from its beginning and then gets its earlier results again.
using Program = std::vector<std::function<void(void* locals)>>;

struct Rules {
    /// A load may find any value that the C++ memory model allows: one no older than the values that its
    /// thread saw or knows by acquire and release. If false, it finds the newest.
    bool stale_loads = true;
    /// Sleepers look up if no other thread can go on, and see all stores.
    bool time_out = false;

    // Seeded defects, which the exploration must find.
    bool releases_are_relaxed = false, acquires_are_relaxed = false;
    bool wakes_are_lost = false, sleepers_do_not_look = false;
    /// A thread does not wait for values at these offsets.
    std::function<bool(std::size_t offset)> ignored = nullptr;
};

struct Found {
    std::size_t states = 0, ends = 0, time_outs = 0;
    std::string defect;  ///< Empty if there is none. Otherwise the defect and the threads that moved.
};

/// Explores all executions of the programs over `memory`, which is zero at first. A known state is not
/// followed again. Acquire and release must order all accesses to memory that is not atomic, in every
/// execution.
Found explore(const std::vector<Program>& programs, const std::vector<std::byte>& locals, std::byte* memory,
              Rules rules = {});

// Actions of programs inside explore().
std::uint64_t load(const void* at, std::memory_order order);
void store(const void* at, std::uint64_t value, std::memory_order order);
std::uint64_t add(const void* at, std::uint64_t value, std::memory_order order);
std::uint64_t read(const void* at);
void write(const void* at, std::uint64_t value);
/// Waits until `ready`, which must load and do nothing else. Polls that find nothing change nothing and are
/// left out.
void await(const std::function<bool()>& ready);
void sleep(const void* at, std::uint64_t heard);
void wake(const void* at);
/// Reports a defect and ends the exploration.
void fail(const std::string& what);

/// Replaces std::atomic.
template <class T>
class Atomic {
public:
    Atomic(T = 0) noexcept {}
    T load(std::memory_order order) const { return T(explorer::load(&place_, order)); }
    void store(T value, std::memory_order order) { explorer::store(&place_, value, order); }
    T fetch_add(T value, std::memory_order order) { return T(add(&place_, value, order)); }

private:
    T place_ = 0;  // only its address counts
};

/// Replaces an object that is not atomic.
template <class T>
class Plain {
public:
    Plain& operator=(T value) {
        write(&place_, value);
        return *this;
    }
    operator T() const { return T(read(&place_)); }

private:
    T place_;
};

}  // namespace echelon::explorer
