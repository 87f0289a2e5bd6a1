// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "estimators/network/machine.hpp"
#include "hier/byte_range.hpp"
#include "hier/recipe.hpp"

#include <optional>
#include <string>
#include <vector>

namespace echelon {

struct Remarks;

/// Identity of the measured machine; measurements say little about another machine.
struct Fingerprint {
    /// Library and version, reported by the library.
    std::string mpi = {};
    std::string processor = {};
    /// Network interfaces, in alphabetical order.
    std::vector<std::string> networks = {};
    /// Ranks on the busiest node.
    int ranks_per_node = 0;

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Differences between two fingerprints in words; empty if they match. The number of ranks per node does not
/// count: samples carry their layout.
std::string difference(const Fingerprint& profile, const Fingerprint& here);

/// The fitted machine (its `nodes` are empty), and the typical deviation of samples from it.
struct Parameters {
    Machine machine = {};
    /// Typical relative deviation of messages from their network; inside a node, of the algorithms measured
    /// there.
    double inside_residual = 0, between_residual = 0;
    /// False if the calibration had no messages of this kind; then the other network stands for it.
    bool inside_is_measured = true, between_is_measured = true;
    /// Hosts by switch and site, if the machine has these levels beyond its nodes, or by position in its
    /// torus; empty if unknown.
    std::vector<Inhabitants> regions = {};
    /// Typical relative deviation of measured algorithms from the model, on several nodes if any was.
    double residual = 0.2;

    friend bool operator==(const Parameters&, const Parameters&) = default;
};

/// Kind of messages of p ranks on these nodes that was not measured, "inside nodes" or "between nodes"; empty
/// if all were.
std::string_view not_measured(const Parameters& parameters, int p, int nodes);

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

    friend bool operator==(const Sample&, const Sample&) = default;
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
