// SPDX-License-Identifier: Apache-2.0
#include "core/units.hpp"
#include "tuner/requests.hpp"
#include "tuner/tuner.hpp"

#include <set>

namespace echelon {
namespace {

/// True if the calls stay native by default.
bool is_native_by_default(Tuner& tuner, Collective collective) {
    return chooses_native_only(tuner, collective) || (!tuner.tries() && !tuner.machine().has_profile());
}

/// Why they do.
std::string why_nothing_is_tried(Tuner& tuner) {
    if (!tuner.tries()) return "trials are off, and no profile is known: `echelon calibrate` makes one";
    if (tuner.settings().keeps_order()) return "ECHELON_REPRODUCIBLE=1 allows no trials";
    if (tuner.own().knows_placement(true, false) && tuner.own().placement(true, false).node_count() == 1)
        return "its ranks share a node, and cannot share memory";
    return "it has fewer than " + std::to_string(rules.least_ranks) + " ranks: a hierarchy gains nothing";
}

/// Why a class of calls has no winner and no recipe of a profile; empty: it has one, or serves another recipe
/// than native meanwhile.
std::string why_undecided(Tuner& tuner, const CallState& calls) {
    const Row* const row = tuner.table().find(calls.key);
    if (row != nullptr && row->choice.recipe.kind != Recipe::Kind::native) return "";
    if (calls.asks || (calls.key.own_lengths() && !tuner.mail().reaches))
        return "rank 0's decision is awaited: it travels in calls in which all ranks wait for all, and with "
               "bcasts and scatters";
    if (calls.stage == Stage::counting) return "the calls were too few to pay for a decision";
    if (calls.stage == Stage::trying) return "a trial had not found its winner";
    if (row == nullptr || row->choice.source != Source::built_in) return "";
    return calls.key.own_lengths() && calls.mean_bytes() == 0
               ? "rank 0 saw an empty block, and recipes would wait for more ranks than the library"
               : "no recipe was expected to gain";
}

}  // namespace

std::vector<std::string> Tuner::reasons() {
    std::vector<std::string> all;
    if (!requests().settled() || requests().at_odds()) return all;
    std::set<Collective> automatic;
    for (const auto& [calls, state] : calls_) {
        if (is_native_by_default(*this, calls.collective)) continue;
        const std::string which(name(calls.collective));
        if (const std::string reason = why_undecided(*this, state); !reason.empty())
            all.push_back(
                (calls.own_lengths ? which + "v" : which + " of " + format_bytes(calls.size) + " or more") +
                ": " + reason);
    }
    std::set<Collective> without_size;
    for (const auto& [key, plan] : plans().all()) {
        if (!plan.native() || plan.choice.source != Source::built_in) continue;
        if (key.own_lengths() && !calls_.contains(classes_.of(key)))
            without_size.insert(key.collective);
        else if (is_native_by_default(*this, key.collective))
            automatic.insert(key.collective);
    }
    for (const Collective one : without_size) {
        const std::string plain(name(one));
        all.push_back(plain +
                      "v: not all ranks know its size, and only trials on several nodes choose without it; a "
                      "recipe requested for every " +
                      plain + " would serve it, except `shm` and native phases in a gather or scatter");
    }
    if (automatic.empty()) return all;
    std::string names;
    for (const Collective one : automatic) names += (names.empty() ? "" : ", ") + std::string(name(one));
    all.push_back(names + ": " + why_nothing_is_tried(*this));
    return all;
}

}  // namespace echelon
