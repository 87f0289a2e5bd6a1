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

/// A thread's program, in steps. What it knows from one step to the next lies in its locals, which are copied as bytes; a step
/// runs again and again from its beginning, and is told what it found before.
using Program = std::vector<std::function<void(void* locals)>>;

struct Rules {
    /// A load may find any value that the memory model of C++ lets it find: one that is not older than what its thread saw,
    /// or knows by acquire and release. Else always the newest.
    bool stale_loads = true;
    /// Sleepers look up where nothing else can go on, and see what was stored.
    bool time_out = false;

    // Seeded defects, to see that they are found.
    bool releases_are_relaxed = false, acquires_are_relaxed = false;
    bool wakes_are_lost = false, sleepers_do_not_look = false;
    /// Nobody waits for what lies at these places.
    std::function<bool(std::size_t offset)> ignored = nullptr;
};

struct Found {
    std::size_t states = 0, ends = 0, time_outs = 0;
    std::string defect;  ///< Empty: there is none. Else what happens, and after which steps of which threads.
};

/// All executions of the programs over `memory`, which is zero at first. A state that was met before is not followed again. Of
/// memory that is not atomic it is found out, in every execution, whether acquire and release order all that touch it.
Found explore(const std::vector<Program>& programs, const std::vector<std::byte>& locals, std::byte* memory,
              Rules rules = {});

// What programs do in a run of explore().
std::uint64_t load(const void* at, std::memory_order order);
void store(const void* at, std::uint64_t value, std::memory_order order);
std::uint64_t add(const void* at, std::uint64_t value, std::memory_order order);
std::uint64_t read(const void* at);
void write(const void* at, std::uint64_t value);
/// Until `ready`, which loads once: polls that find nothing change nothing, and are left out.
void await(const std::function<bool()>& ready);
void sleep(const void* at, std::uint64_t heard);
void wake(const void* at);
/// What must not be: ends the exploration.
void fail(const std::string& what);

/// Takes the place of std::atomic.
template <class T>
class Atomic {
public:
    Atomic(T = 0) noexcept {}
    T load(std::memory_order order) const { return T(explorer::load(&place_, order)); }
    void store(T value, std::memory_order order) { explorer::store(&place_, value, order); }
    T fetch_add(T value, std::memory_order order) { return T(add(&place_, value, order)); }

private:
    T place_ = 0;  // its address alone counts
};

/// Takes the place of what is not atomic.
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
