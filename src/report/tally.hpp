// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/slice.hpp"
#include "core/units.hpp"
#include "estimators/profile/source.hpp"

#include <array>
#include <atomic>
#include <compare>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace echelon {

/// Reason why a call went to the MPI library without a choice of recipe.
enum class Bypass : std::uint8_t {
    arguments,
    operation,
    uneven,
    one_rank,
    intercommunicator,
    another_world,
    absent,
    unseen,
    nonblocking,
    persistent
};
inline constexpr std::array all_bypasses{
    Bypass::arguments,     Bypass::operation, Bypass::uneven, Bypass::one_rank,    Bypass::intercommunicator,
    Bypass::another_world, Bypass::absent,    Bypass::unseen, Bypass::nonblocking, Bypass::persistent};
std::string_view reason(Bypass bypass);

/// Measured times of a call, by a trial or in the profile: of the native collective, and of the chosen
/// recipe. A time of 0 was not measured.
struct Evidence {
    Seconds native = 0, ours = 0;
    bool known() const { return native > 0 && ours > 0; }
    Seconds saved() const { return known() ? native - ours : 0; }
};

/// Counts of the calls on one communicator, or on several together.
class Tally {
public:
    struct Key {
        Collective collective;
        /// Calls of 2^(power - 1) to 2^power - 1 bytes; 0: calls without bytes.
        int power;
        std::string recipe;
        Source source;
        std::string refusal;
        /// True for calls of a trial.
        bool tried = false;
        auto operator<=>(const Key&) const = default;
    };
    struct Counts {
        long calls = 0;
        std::uint64_t ticks = 0;
        /// Number of calls with evidence, and the time that they saved.
        long judged = 0;
        Seconds saved = 0;

        /// Safe to call from several threads: they may start persistent calls of one communicator at once.
        void add(std::uint64_t ticks_inside, const Evidence& evidence) {
            constexpr auto relaxed = std::memory_order_relaxed;
            std::atomic_ref(calls).fetch_add(1, relaxed);
            std::atomic_ref(ticks).fetch_add(ticks_inside, relaxed);
            if (!evidence.known()) return;
            std::atomic_ref(judged).fetch_add(1, relaxed);
            std::atomic_ref(saved).fetch_add(evidence.saved(), relaxed);
        }
    };

    /// The counts of one kind of call. The reference stays valid.
    Counts& row(Collective collective, Bytes bytes, const std::string& recipe, Source source,
                const std::string& refusal, bool tried = false);
    void bypassed(Collective collective, Bypass why) {
        ++bypasses_[std::size_t(collective)][std::size_t(why)];
    }

    using Row = std::map<Key, Counts>::value_type;
    /// The rows with calls; a plan may have been made and never run. The pointers stay valid.
    std::vector<const Row*> rows() const;
    long bypasses(Collective collective, Bypass why) const {
        return bypasses_[std::size_t(collective)][std::size_t(why)];
    }
    bool empty() const;
    /// Extra ticks of trial calls, compared with the mean of the other calls of their collective and size.
    double ticks_of_trying() const;
    void add(const Tally& other);

private:
    std::map<Key, Counts> rows_;
    std::array<std::array<long, all_bypasses.size()>, all_collectives.size()> bypasses_{};
};

/// The time saved by rows of a tally. Disturbed trials may exaggerate the native time by far. If the run has
/// enough native calls of the collective and size, their mean time limits the saving.
class Savings {
public:
    Savings(const Tally& tally, double seconds_per_tick);
    Seconds of(const Tally::Key& key, const Tally::Counts& counts) const;

private:
    struct Native {
        long calls = 0;
        double ticks = 0;
    };
    std::map<std::pair<Collective, int>, Native> natives_;
    double seconds_per_tick_;
};

}  // namespace echelon
