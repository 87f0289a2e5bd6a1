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

/// Where numbers were measured: they say little about another place.
struct Fingerprint {
    /// Library and version, as the library calls itself.
    std::string mpi = {};
    std::string processor = {};
    /// Network interfaces, in alphabetical order.
    std::vector<std::string> networks = {};
    /// On the busiest node.
    int ranks_per_node = 0;

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// In which ways the second is another place than the first, in words; empty: it is the same. The number of
/// ranks per node does not count: samples carry their layout.
std::string difference(const Fingerprint& profile, const Fingerprint& here);

/// The fitted machine (its `nodes` are empty), and how far typical samples are from it.
struct Parameters {
    Machine machine = {};
    double inside_residual = 0, between_residual = 0;
    /// Not: there were none among the ranks that were measured, and the other network stands for theirs.
    bool inside_is_measured = true, between_is_measured = true;
    /// By the names of their hosts: switches and sites, where the machine has these levels beyond its nodes, or positions in its torus;
    /// empty: nothing is known of any.
    std::vector<Inhabitants> regions = {};
    /// Typical relative deviation of algorithms from their forms under these parameters.
    double residual = 0.2;

    friend bool operator==(const Parameters&, const Parameters&) = default;
};

/// Which messages of so many ranks on so many nodes were not measured, "inside nodes" or "between nodes"; empty: none such.
std::string_view not_measured(const Parameters& parameters, int p, int nodes);

/// A measured call: the median of its runs, over the slowest rank of each.
struct Sample {
    Collective collective = Collective::allreduce;
    int p = 1;
    /// As layout_of() writes it (groups/layout.hpp).
    std::string layout = {};
    Bytes bytes = 0;
    Recipe recipe = {};
    Seconds seconds = 0;
    /// Half the width of the median's 95 % confidence interval, as a share of it.
    double spread = 0;

    friend bool operator==(const Sample&, const Sample&) = default;
};

/// What an algorithm's or shape's measured times are of the predicted ones, by size.
struct Correction {
    Collective collective = Collective::allreduce;
    /// family_of() a recipe (samples.hpp).
    std::string family = {};
    struct Point {
        Bytes bytes;
        /// Of the replay, and of the sum of phases, which stands for it where a replay takes too many messages.
        double factor, of_sum;
        friend bool operator==(const Point&, const Point&) = default;
    };
    std::vector<Point> points = {};  // ascending
    /// Typical deviation between samples of the family.
    double spread = 0;
    /// The number of ranks that it was measured on, of their nodes, and of their sites; 0: any.
    int p = 0;
    int nodes = 0;
    int sites = 0;

    friend bool operator==(const Correction&, const Correction&) = default;
};

/// As what recipe the library's own collective behaves on some ranks: it takes about as long as the replay of that.
struct Likeness {
    Collective collective = Collective::allreduce;
    int p = 1;
    std::string layout = {};
    Recipe recipe = {};
    struct Point {
        Bytes bytes;
        double share;  // of the replay's time
        friend bool operator==(const Point&, const Point&) = default;
    };
    std::vector<Point> points = {};  // ascending

    friend bool operator==(const Likeness&, const Likeness&) = default;
};

/// What was found to be best where it was tried.
struct LearnedDecision {
    Collective collective = Collective::allreduce;
    int p = 1;
    std::string layout = {};
    ByteRange sizes = {};
    Recipe recipe = {};
    Seconds seconds = 0;
    /// 0: not measured.
    Seconds native_seconds = 0;

    friend bool operator==(const LearnedDecision&, const LearnedDecision&) = default;
};

/// What a calibration chose for calls on some of its ranks, or all, as programs make communicators of them: they need not decide that.
struct Foreseen {
    Collective collective = Collective::allreduce;
    int p = 1;
    std::string layout = {};
    /// For operations that do not round, and where nothing is said of those that do, for them, too.
    bool exact = true;
    Recipe recipe = {};
    /// What is tried beside it, and native.
    std::vector<Recipe> rivals = {};
    struct Point {
        Bytes bytes;
        /// The first two times were measured, here or at sizes on both sides.
        bool measured;
        /// That the recipe, native and each rival are expected to take; 0: not known.
        std::vector<Seconds> seconds;
        friend bool operator==(const Point&, const Point&) = default;
    };
    std::vector<Point> points = {};  // ascending

    friend bool operator==(const Foreseen&, const Foreseen&) = default;
};

/// What a user wants: the first rule that matches a call and can serve it.
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

/// Sizes that a calibration was asked for and had no time to measure.
struct NotReached {
    Collective collective = Collective::allreduce;
    int p = 1;
    std::string layout = {};
    std::vector<Bytes> sizes = {};  // ascending

    friend bool operator==(const NotReached&, const NotReached&) = default;
};

/// All that is known about a machine: docs/profile.md.
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

    /// Error: not JSON, not a profile, of a newer version, or a value that cannot be; the sentence names the
    /// place in the file. `unknown` collects keys that mean nothing.
    static Profile parse(std::string_view text, std::vector<std::string>* unknown = nullptr);

    friend bool operator==(const Profile&, const Profile&) = default;
};

/// Readable JSON that Profile::parse reads back as an equal value.
std::string to_json(const Profile& profile);

/// The layout under which it has what was measured on such ranks.
std::string layout_in(const Profile& profile, const Placement& placement);

/// Without the measured and learned recipes that need communicators of their own.
Profile without_native_parts(Profile profile);

}  // namespace echelon
