// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/groups.hpp"

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace echelon {

/// Who sends to whom at the same time, in ranks of a communicator.
enum class Reach {
    shift,     ///< Every rank to the one `distance` further on, around the end.
    exchange,  ///< Every rank r with r xor `distance`.
    tree,  ///< A binomial or k-nomial tree's level: multiples of the next distance to the one `distance` on.
    star,  ///< One rank to all, one after the other.
    heap   ///< Every rank r to 2r + 1 and 2r + 2.
};

/// Ranks that run something together, and the like of them that do so at the same time: all groups of a
/// partition, all lanes. It answers how many of their messages leave the busiest node at once. Divisions and
/// answers are remembered: one terrain serves all decisions on a communicator. Not for several threads.
class Terrain {
public:
    explicit Terrain(const Placement& placement);

    /// Of the largest of the sets.
    int p() const { return p_; }
    /// Messages that leave the busiest node when every rank of all sets sends to where it reaches; 0: all
    /// stay inside. Between 0 and 1 where only some steps of a pattern leave a node.
    double leaving(Reach reach, int distance) const;
    /// Hops from rank r to r + 1, r < p - 1, that leave a node.
    int crossings() const { return crossings_; }
    /// Of a set, not in the node of its first rank.
    int outsiders() const { return outsiders_; }
    /// Nodes that the sets touch; ranks of the busiest node.
    int nodes() const { return nodes_; }
    int ranks_in_node() const { return int(in_busiest_.size()); }
    /// Sets with ranks in the busiest node.
    int sets_in_node() const { return sets_in_node_; }

    struct Division;
    /// Nullptr where the groups do not fit these ranks.
    const Division* divide(const Groups& groups) const;

private:
    /// The ranks of the sets, one set after another.
    struct Sets {
        std::vector<int> ranks = {}, starts = {0};

        std::size_t size() const { return starts.size() - 1; }
        std::span<const int> operator[](std::size_t set) const {
            return std::span(ranks).subspan(std::size_t(starts[set]),
                                            std::size_t(starts[set + 1] - starts[set]));
        }
        void close() { starts.push_back(int(ranks.size())); }
    };
    struct Place {
        std::uint32_t set;
        std::uint32_t position;
    };
    Terrain(std::shared_ptr<const Placement> placement, Sets sets);
    int node(int rank) const { return placement_->node(rank); }
    double count(Reach reach, int distance) const;

    std::shared_ptr<const Placement> placement_;
    Sets sets_;
    int p_ = 0, crossings_ = 0, nodes_ = 1, outsiders_ = 0;
    std::vector<Place> in_busiest_;
    int sets_in_node_ = 0;
    static constexpr double unknown = -1;
    mutable std::array<std::array<double, 24>, 5> at_powers_;  // by reach; distances that are powers of two
    mutable std::map<std::pair<Reach, int>, double> known_;
    struct Known;
    mutable std::deque<Known> divisions_;
};

/// The terrain's sets divided into groups.
struct Terrain::Division {
    Terrain inside;
    /// Ranks at equal positions, at all positions together.
    Terrain across;
    /// Those at the first position alone.
    Terrain leaders;
    int group_count, smallest, largest;
    bool contiguous;
};

struct Terrain::Known {
    Groups groups;
    std::unique_ptr<Division> division;
};

/// Nodes and ranks as profiles write them: "16x4" for 16 nodes of 4 consecutive ranks each, "16x4 cyclic",
/// "16x4 mixed" where ranks are neither, "64 on 16" for uneven nodes. Equal layouts behave alike.
std::string layout_of(const Placement& placement);
/// A placement of p ranks from such words, with block placement for what they do not tell. Error: not of
/// these forms.
Placement placement_of_layout(const std::string& layout);

}  // namespace echelon
