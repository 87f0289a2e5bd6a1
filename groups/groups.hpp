// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "groups/partition.hpp"
#include "groups/placement.hpp"

namespace echelon {

/// Groups as recipes write them, before p is known; `resolve` makes them a `Partition`. Immutable; cheap to
/// copy, to compare and to hash.
///
///  sqrt            the number of groups nearest to sqrt(p)
///  G=8             8 groups whose sizes differ by at most one
///  size=4          groups of 4, the last may be smaller
///  node            the ranks of a node; package, numa, l3: the ranks of a part of it (l3: of a third-level
///                  cache); switch: the ranks of the nodes on a switch; site: of the nodes near each other
///  ranks=0-3;4-7   these ranks: `;` between groups, `+` inside one (`0-1+4;2-3`)
class Groups {
public:
    enum class Kind { sqrt, count, size, site, leaf_switch, node, package, numa, l3, ranks };

    static Groups sqrt() { return Groups(Kind::sqrt); }
    static Groups count(int group_count);  ///< `G=n`. Error: below 1.
    static Groups size(int group_size);    ///< `size=n`. Error: below 1.
    static Groups site() { return Groups(Kind::site); }
    static Groups leaf_switch() { return Groups(Kind::leaf_switch); }  ///< Written `switch`.
    static Groups node() { return Groups(Kind::node); }
    static Groups package() { return Groups(Kind::package); }
    static Groups numa() { return Groups(Kind::numa); }
    static Groups l3() { return Groups(Kind::l3); }
    static Groups ranks(Partition partition);  ///< Exactly these groups; p must match.

    /// Blanks may stand between the parts. Error: not of the forms above (the sentence names the column and
    /// the expected form), a number below 1, a rank named twice or missing.
    static Groups parse(std::string_view text);

    Kind kind() const noexcept { return kind_; }
    int number() const noexcept { return number_; }  ///< n of `G=n` and `size=n`, else 0.

    /// True if `resolve` reads the placement: site, switch, node, package, numa, l3.
    bool needs_placement() const noexcept {
        return kind_ == Kind::site || kind_ == Kind::leaf_switch || kind_ == Kind::node || needs_topology();
    }
    /// True if `resolve` reads places inside nodes (package, numa, l3); ranks must then ask `location_here`.
    bool needs_topology() const noexcept {
        return kind_ == Kind::package || kind_ == Kind::numa || kind_ == Kind::l3;
    }

    std::size_t hash() const noexcept { return hash_; }
    friend bool operator==(const Groups& a, const Groups& b) noexcept;

    friend std::string to_string(const Groups& groups);
    friend Partition resolve(const Groups& groups, int p, const Placement& placement);

private:
    explicit Groups(Kind kind, int number = 0, std::shared_ptr<const Partition> ranks = nullptr);

    Kind kind_;
    int number_;
    std::shared_ptr<const Partition> ranks_;  // for Kind::ranks
    std::size_t hash_;
};

/// The groups of p ranks: the same on all ranks that hold the same placement. Error: p < 1, more groups than
/// ranks, `ranks=` for another p, a required placement that is not one of p ranks.
Partition resolve(const Groups& groups, int p, const Placement& placement = {});

/// The form that `Groups::parse` reads back as an equal value.
std::string to_string(const Groups& groups);

std::ostream& operator<<(std::ostream& out, const Groups& groups);

}  // namespace echelon

template <>
struct std::hash<echelon::Groups> {
    std::size_t operator()(const echelon::Groups& groups) const noexcept { return groups.hash(); }
};
