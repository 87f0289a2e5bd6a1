// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "estimators/profile/fingerprint.hpp"
#include "estimators/profile/parameters.hpp"
#include "hier/byte_range.hpp"
#include "hier/recipe.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace echelon {

struct Remarks;

/// A measured call: the median of its runs, each timed by its slowest rank.
struct Sample {
    Collective collective = Collective::allreduce;
    int p = 1;
    /// Written by layout_of() (groups/layout.hpp).
    std::string layout = {};
    Bytes bytes = 0;
    Recipe recipe = {};
    Seconds seconds = 0;
    /// Half the width of the median's 95 % confidence interval, as a share of it.
    double spread = 0;
    /// Mean time of a call in a CallRow; 0: not measured.
    Seconds in_a_row = 0;

    friend bool operator==(const Sample&, const Sample&) = default;
};

/// Calls that follow each other without a synchronisation: half of them with one root, half with roots in
/// turn.
struct CallRow {
    static constexpr int calls = 8;
    static int root(int call, int p) {
        constexpr int each = calls / 2;
        return std::max(0, call - each + 1) * p / (each + 1);
    }
};

/// Ratio of measured to predicted times of an algorithm or shape, by size.
struct Correction {
    Collective collective = Collective::allreduce;
    /// Result of family_of() (samples.hpp).
    std::string family = {};
    struct Point {
        Bytes bytes;
        /// Ratio to the replay, and to the sum of phases, which replaces a replay of too many messages.
        double factor, of_sum;
        friend bool operator==(const Point&, const Point&) = default;
    };
    std::vector<Point> points = {};  // ascending
    /// Typical deviation between samples of the family.
    double spread = 0;
    /// Numbers of ranks, nodes and sites of the measurement; 0: any.
    int p = 0;
    int nodes = 0;
    int sites = 0;

    friend bool operator==(const Correction&, const Correction&) = default;
};

/// Surrogate of the native collective on some ranks: a recipe whose replay takes about as long.
struct Likeness {
    Collective collective = Collective::allreduce;
    int p = 1;
    std::string layout = {};
    Recipe recipe = {};
    struct Point {
        Bytes bytes;
        double share;  // native time over replayed time
        friend bool operator==(const Point&, const Point&) = default;
    };
    std::vector<Point> points = {};  // ascending

    friend bool operator==(const Likeness&, const Likeness&) = default;
};

/// Decision that trials found to be the best.
struct LearnedDecision {
    Collective collective = Collective::allreduce;
    int p = 1;
    std::string layout = {};
    ByteRange sizes = {};
    Recipe recipe = {};
    Seconds seconds = 0;
    /// 0 if not measured.
    Seconds native_seconds = 0;

    friend bool operator==(const LearnedDecision&, const LearnedDecision&) = default;
};

/// Precomputed decision of a calibration for calls on all or some of its ranks, for communicators that
/// programs usually create.
struct Foreseen {
    Collective collective = Collective::allreduce;
    int p = 1;
    std::string layout = {};
    /// True for exact operations, and for rounding ones if they have no entry of their own.
    bool exact = true;
    Recipe recipe = {};
    /// Recipes that a trial compares with it, beside native.
    std::vector<Recipe> rivals = {};
    struct Point {
        Bytes bytes;
        /// True if the first two times were measured, here or at sizes on both sides.
        bool measured;
        /// Expected times of the recipe, native and each rival; 0 if unknown.
        std::vector<Seconds> seconds;
        /// Factors on them for calls that follow each other, beside concurrent communicators; empty: all are
        /// 1.
        std::vector<double> paces = {};
        friend bool operator==(const Point&, const Point&) = default;
    };
    std::vector<Point> points = {};  // ascending

    friend bool operator==(const Foreseen&, const Foreseen&) = default;
};

/// Rule of a user. The first rule that matches a call and can serve it wins.
struct Rule {
    Collective collective = Collective::allreduce;
    ByteRange sizes = {};
    int p_from = 1, p_to = 1 << 30;
    Recipe recipe = {};

    bool matches(Collective c, int p, Bytes bytes) const {
        return c == collective && p_from <= p && p <= p_to && sizes.contains(bytes);
    }
    friend bool operator==(const Rule&, const Rule&) = default;
};

/// Sizes that a calibration had no time to measure.
struct NotReached {
    Collective collective = Collective::allreduce;
    int p = 1;
    std::string layout = {};
    std::vector<Bytes> sizes = {};  // ascending

    friend bool operator==(const NotReached&, const NotReached&) = default;
};

/// All knowledge about a machine (docs/profile.md).
struct Profile {
    static constexpr int version = 1;

    Fingerprint fingerprint = {};
    std::optional<Parameters> parameters = {};
    std::vector<Sample> samples = {};
    std::vector<Correction> corrections = {};
    std::vector<Likeness> likenesses = {};
    std::vector<LearnedDecision> decisions = {};
    std::vector<Foreseen> foreseen = {};
    std::vector<Rule> rules = {};
    std::vector<NotReached> not_reached = {};

    /// Throws Error if the text is not JSON, not a profile, of another version, or has an invalid value; the
    /// message names the place in the file. With `remarks` invalid entries are left out and collected there.
    static Profile parse(std::string_view text, Remarks* remarks = nullptr);

    friend bool operator==(const Profile&, const Profile&) = default;
};

/// Readable JSON that Profile::parse reads back as an equal value.
std::string to_json(const Profile& profile);

/// Layout under which the profile files measurements of these ranks.
std::string layout_in(const Profile& profile, const Placement& placement);

/// The profile without measured and learned recipes that have native parts, which need communicators of their
/// own.
Profile without_native_parts(Profile profile);

}  // namespace echelon
