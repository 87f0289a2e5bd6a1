// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"
#include "core/units.hpp"
#include "groups/groups.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// The algorithm of a call in one expression. Variables, info keys, profiles, tools, logs and tests use the
/// same spelling.
///
///  native                              the MPI library's own collective
///  ring                                a flat algorithm
///  chain(seg=32K)  knomial(k=4)        a flat algorithm with parameters
///  binomial+chain                      one algorithm for each half of a collective, or for two phases
///  leaders(sqrt, chain, binomial)      reduce inside, operate between leaders, broadcast inside
///  positions(G=8, ring, ring)          operate inside, then between equal positions
///  lanes(node, ring, ring, seg=1M)     reduce-scatter inside, operate on slices across, allgather inside
///
/// `seg=` of a shape cuts the vector: its phases work on different segments at the same time. A recipe knows
/// neither p nor the collective: resolve() (hier/phase.hpp) tells if it can serve a call.
struct Recipe {
    enum class Kind { native, flat, pair, leaders, positions, lanes };

    Kind kind = Kind::native;
    /// flat: the algorithm.
    std::string name = {};
    /// flat, shapes: `seg=`, in bytes.
    std::optional<Bytes> segment = {};
    /// flat: `k=`, or the row's name for it.
    std::optional<int> radix = {};
    /// flat: `schedule=`.
    std::string schedule = {};
    /// Shapes.
    std::optional<Groups> groups = {};
    /// pair: first and second; shapes: inner and outer.
    std::vector<Recipe> parts = {};

    bool is_shape() const { return kind != Kind::native && kind != Kind::flat && kind != Kind::pair; }
    /// True if it is a shape or has one inside.
    bool has_shape() const;
    /// True if a phase is the MPI library's own collective, on a communicator of ours.
    bool has_native_parts() const;
    const Recipe& inner() const { return parts.front(); }
    const Recipe& outer() const { return parts.back(); }

    /// Error: not an expression of the above form, an unknown algorithm, a parameter that the algorithm does
    /// not take. The sentence names the column and the expected form.
    static Recipe parse(std::string_view text);

    friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// The names of the shapes.
struct ShapeName {
    Recipe::Kind kind;
    std::string_view name;
};
inline constexpr std::array<ShapeName, 3> shape_names{{{Recipe::Kind::leaders, "leaders"},
                                                       {Recipe::Kind::positions, "positions"},
                                                       {Recipe::Kind::lanes, "lanes"}}};
std::string_view name(Recipe::Kind shape);

/// The form that Recipe::parse reads back as an equal value.
std::string to_string(const Recipe& recipe);
/// Equality except for `seg=`, and a hash that agrees with it.
bool same_but_segments(const Recipe& a, const Recipe& b);
std::size_t hash_but_segments(const Recipe& recipe);

}  // namespace echelon
