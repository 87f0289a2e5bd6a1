// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/slice.hpp"
#include "core/units.hpp"
#include "estimators/profile/source.hpp"

#include <array>
#include <compare>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace echelon {

/// Why a call went to the MPI library before a recipe was asked for.
enum class Bypass : std::uint8_t {
    arguments,
    operation,
    uneven,
    one_rank,
    intercommunicator,
    another_world,
    absent
};
inline constexpr std::array all_bypasses{Bypass::arguments, Bypass::operation,         Bypass::uneven,
                                         Bypass::one_rank,  Bypass::intercommunicator, Bypass::another_world,
                                         Bypass::absent};
std::string_view reason(Bypass bypass);

/// What was measured of such a call: the library's own collective, and what runs instead. Whoever decides tells
/// it, in a trial or from a profile. A time of 0: it was not measured.
struct Evidence {
    Seconds native = 0, ours = 0;
    bool known() const { return native > 0 && ours > 0; }
    Seconds saved() const { return known() ? native - ours : 0; }
};

/// Counts of what ran on one communicator, or on several together.
class Tally {
public:
    struct Key {
        Collective collective;
        /// Calls of 2^(power - 1) to 2^power - 1 bytes; 0: of none.
        int power;
        std::string recipe;
        Source source;
        std::string refusal;
        /// It ran only to be compared with what usually runs.
        bool tried = false;
        auto operator<=>(const Key&) const = default;
    };
    struct Counts {
        long calls = 0;
        std::uint64_t ticks = 0;
        /// Calls with evidence, and what was saved by them.
        long judged = 0;
        Seconds saved = 0;

        void add(std::uint64_t ticks_inside, const Evidence& evidence) {
            ++calls;
            ticks += ticks_inside;
            judged += evidence.known() ? 1 : 0;
            saved += evidence.saved();
        }
    };

    /// Where calls of that kind are counted; stays where it is.
    Counts& row(Collective collective, Bytes bytes, const std::string& recipe, Source source,
                const std::string& refusal, bool tried = false);
    void bypassed(Collective collective, Bypass why) {
        ++bypasses_[std::size_t(collective)][std::size_t(why)];
    }

    using Row = std::map<Key, Counts>::value_type;
    /// Of calls that came: a plan may have been made that never ran. They stay where they are.
    std::vector<const Row*> rows() const;
    long bypasses(Collective collective, Bypass why) const {
        return bypasses_[std::size_t(collective)][std::size_t(why)];
    }
    bool empty() const;
    /// What calls took that only tried something, more than the others of their collective and size did.
    double ticks_of_trying() const;
    void add(const Tally& other);

private:
    std::map<Key, Counts> rows_;
    std::array<std::array<long, all_bypasses.size()>, all_collectives.size()> bypasses_{};
};

/// What rows of a tally have saved, as far as the run bears it out: trials that others disturbed may have seen the native
/// collective a hundred times slower than it is. Where enough native calls of such a collective and size were counted, no
/// more was saved than they took longer.
class Savings {
public:
    /// The tally must outlive it.
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
