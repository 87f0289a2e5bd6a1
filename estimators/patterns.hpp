// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/machine.hpp"

#include <array>

namespace echelon {

// Patterns of messages that more than one algorithm is made of, each one text for all models: it only looks
// at where a message's time goes.

/// A way between the root of a tree and a leaf.
struct TreePath {
    int levels = 0;
    /// Messages to (from) other children that the ranks on the way start (combine) before (after) this one.
    int waits = 0;
};

/// The shape of a tree as far as time is concerned.
struct TreeShape {
    /// The most children of a rank.
    int fan = 0;
    /// The most children of a rank that has a parent.
    int inner_fan = 0;
    /// The paths of which one is the slowest.
    std::array<TreePath, 2> down = {}, up = {};
};

/// The trees of flat/trees.hpp: StarTree, HeapTree of arity 1 and 2, KnomialTree. Requires: p >= 1, radix
/// >= 2.
TreeShape flat_tree(int p);
TreeShape chain_tree(int p);
TreeShape binary_tree(int p);
TreeShape knomial_tree(int p, int radix);

/// What passing a message of `segments` equal segments down a tree takes (broadcast), or combining it upwards
/// (reduction): the time in which the first segment gets through, and for each further one the time of a
/// rank's busiest part: its sending port, its receiving port or its processor. One text for all models, since
/// it only looks at where a message's time goes.
Seconds time_down(const TreeShape& tree, double segments, Bytes segment, const Network& network);
Seconds time_up(const TreeShape& tree, double segments, Bytes segment, const Network& network,
                SecondsPerByte gamma);

/// Least time between two messages that one rank receives.
Seconds time_between_arrivals(Bytes bytes, const Network& network);
/// Least time between two messages that a rank receives, combines and passes on.
Seconds time_between_messages(Bytes bytes, const Network& network, SecondsPerByte gamma);

/// The slowest path of a tree downwards, for messages without content.
Seconds time_of_paths(const TreeShape& tree, const Network& network);

/// A rank sends to and receives from each of `peers` at once.
Seconds time_exchange(int peers, Bytes bytes, const Network& network);
/// The same, and it combines what it received, beginning with the lowest rank's: a stage of recursive
/// multiplying. The highest rank gets that message last, and has all its work still to do.
Seconds time_stage(int peers, Bytes bytes, const Network& network, SecondsPerByte gamma);

}  // namespace echelon
