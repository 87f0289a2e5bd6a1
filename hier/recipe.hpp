// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"
#include "core/units.hpp"
#include "groups/groups.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// What will run, in one expression; the same spelling in variables, info keys, profiles, tools, logs and
/// tests.
///
///   native                              the MPI library's own collective
///   ring                                a flat algorithm
///   chain(seg=32K)  knomial(k=4)        with parameters
///   binomial+chain                      two halves of one collective apart, or two phases of a shape
///   leaders(sqrt, chain, binomial)      reduce inside, operate between leaders, broadcast inside
///   positions(G=8, ring, ring)          operate inside, then between equal positions
///   lanes(node, ring, ring, seg=1M)     reduce-scatter inside, operate on slices across, allgather inside
///
/// `seg=` of a shape cuts the vector: its phases work on different segments at the same time.
/// A recipe knows neither p nor the collective: resolve() (hier/phase.hpp) says whether it can serve a call.
struct Recipe {
    enum class Kind { native, flat, pair, leaders, positions, lanes };

    Kind kind = Kind::native;
    /// flat: the algorithm.
    std::string name = {};
    /// flat, shapes: `seg=`, in bytes.
    std::optional<Bytes> segment = {};
    /// flat: `k=`.
    std::optional<int> radix = {};
    /// flat: `schedule=`.
    std::string schedule = {};
    /// Shapes.
    std::optional<Groups> groups = {};
    /// pair: first and second; shapes: inner and outer.
    std::vector<Recipe> parts = {};

    bool is_shape() const { return kind != Kind::native && kind != Kind::flat && kind != Kind::pair; }
    /// Is one, or has one inside.
    bool has_shape() const;
    /// Phases that are the MPI library's own collectives, on communicators of ours.
    bool has_native_parts() const;
    const Recipe& inner() const { return parts.front(); }
    const Recipe& outer() const { return parts.back(); }

    /// Error: not an expression of the above form, an algorithm nobody knows, a parameter that the algorithm
    /// does not take. The sentence names the column and what would be right.
    static Recipe parse(std::string_view text);

    friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// The form that Recipe::parse reads back as an equal value.
std::string to_string(const Recipe& recipe);
/// Equal but for `seg=`, and a hash of what is equal so.
bool same_but_segments(const Recipe& a, const Recipe& b);
std::size_t hash_but_segments(const Recipe& recipe);

}  // namespace echelon
