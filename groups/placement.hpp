// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/region.hpp"

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// The location of one rank, in the form that ranks exchange: plain bytes.
struct Location {
    static constexpr std::int32_t unknown = -1;

    std::uint64_t node = 0;          ///< Equal exactly for ranks of one node, e.g. `node_key(name)`.
    std::int32_t package = unknown;  ///< Any number that tells the packages of one node apart.
    std::int32_t numa = unknown;     ///< Any number that tells the NUMA nodes of one node apart.
    std::int32_t l3 = unknown;       ///< Any number that tells the third-level caches of one node apart.
    std::int32_t unused = 0;         ///< Padding: locations are sent as bytes, and every byte is set.
    Region region = {};

    friend bool operator==(const Location&, const Location&) = default;
};

/// A key for a node's name, the same on every machine (64 bit FNV-1a).
std::uint64_t node_key(std::string_view name) noexcept;

/// The site, switch, node, package, NUMA node and third-level cache of every rank. Immutable.
///
/// The numbers are dense, count by first appearance from rank 0 on, and are unique over all nodes: ranks with
/// the same package number share a node. A level inside a node counts only if all ranks of the node know
/// their place in it; otherwise the node is one package, NUMA node or cache. Sites count only if all ranks
/// know theirs; otherwise there is one site. Switches count only if all ranks know theirs; otherwise each
/// site is one switch. Positions in a torus are known for all nodes or for none.
class Placement {
public:
    Placement() = default;  ///< A placement of no ranks.

    /// One location for each rank. Requires: the same locations on all ranks.
    static Placement from(std::span<const Location> locations);

    /// The placement of some of the ranks, renumbered in the order given.
    Placement of(std::span<const int> ranks) const;
    /// These ranks in other regions, one for each node.
    Placement in(std::span<const Region> region_of_node) const;
    /// This placement without knowledge of switches.
    Placement without_switches() const;

    int size() const noexcept { return static_cast<int>(nodes_.size()); }
    int node_count() const noexcept { return node_count_; }
    int site_count() const noexcept { return site_count_; }
    int switch_count() const noexcept { return switch_count_; }

    int site(int rank) const { return sites_[static_cast<std::size_t>(rank)]; }
    int leaf_switch(int rank) const { return switches_[static_cast<std::size_t>(rank)]; }
    int node(int rank) const { return nodes_[static_cast<std::size_t>(rank)]; }
    int package(int rank) const { return packages_[static_cast<std::size_t>(rank)]; }
    int numa(int rank) const { return numas_[static_cast<std::size_t>(rank)]; }
    int l3(int rank) const { return l3s_[static_cast<std::size_t>(rank)]; }
    /// The region of a rank in the form that ranks exchange: sites and switches count from 1.
    Region region(int rank) const;
    /// True if there are several sites or switches, or positions in a torus.
    bool knows_regions() const { return switch_count_ > 1 || !torus_.empty(); }
    /// True if there are several sites, or several switches in a site.
    bool knows(Level level) const {
        return level == Level::site ? site_count_ > 1 : switch_count_ > site_count_;
    }
    /// The site, or switch, of each node.
    std::vector<int> by_node(Level level) const;

    /// The numbers of all ranks, by rank.
    std::span<const int> sites() const noexcept { return sites_; }
    std::span<const int> switches() const noexcept { return switches_; }
    std::span<const int> nodes() const noexcept { return nodes_; }
    std::span<const int> packages() const noexcept { return packages_; }
    std::span<const int> numas() const noexcept { return numas_; }
    std::span<const int> l3s() const noexcept { return l3s_; }
    /// Positions by node; empty if they are unknown.
    std::span<const TorusPosition> torus() const noexcept { return torus_; }

    friend bool operator==(const Placement&, const Placement&) = default;

private:
    std::vector<int> sites_, switches_, nodes_, packages_, numas_, l3s_;  // by rank
    std::vector<TorusPosition> torus_;                                    // by node
    int node_count_ = 0, site_count_ = 1, switch_count_ = 1;
};

/// A placement from words, one for each rank ("a a b", "a.0.0 a.0.1 b.1.0"):
///
///  a   a.0   a.0.1   a.0.1.2   node, package, NUMA node, third-level cache; the node is a name without a dot
///  here:a                      with a site before the node
///  1.0/4.4:a                   with a position in a torus: (1, 0) in one of 4 x 4
///  here:s1:a   :s1:a           with a switch, without a site in the second form
///
/// Error: a word that is none of these.
Placement placements(std::string_view words);

/// `node.package.numa` of each rank, which `placements` reads back: `0.0.0 0.1.1 1.2.2`. A node with several
/// third-level caches adds `.l3`. Sites, torus positions and switches stand in front if there are several.
std::string to_string(const Placement& placement);

std::ostream& operator<<(std::ostream& out, const Placement& placement);

}  // namespace echelon
