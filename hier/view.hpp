// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/phase.hpp"
#include "hier/team.hpp"

namespace echelon {

/// The view of one rank on a divided team, and the points at which the root's data enters or leaves.
struct View {
    View(const Phase& phase, Team& whole, const Args& arguments)
        : args(arguments),
          split(whole.split(*phase.groups)),
          partition(split.partition),
          rank(whole.link().rank()),
          group(partition.group_of(rank)),
          position(partition.position_of(rank)),
          lanes(partition.smallest()),
          root_group(partition.group_of(args.root)),
          root_position(partition.position_of(args.root)),
          lead(rooted(phase.collective) && root_position < lanes ? root_position : 0) {}

    bool leads() const { return position == lead; }
    bool in_root_group() const { return group == root_group; }

    Args with(const Slice& data, int root = 0, const Blocks& blocks = {}) const {
        Args made = args;
        made.data = data;
        made.root = root;
        made.blocks = blocks;
        return made;
    }

    Args exchange(const Slice& input, const Slice& data) const {
        Args made = args;
        made.input = input;
        made.data = data;
        return made;
    }

    /// If the root is at a position that not every group has, sends one message between it and its group's
    /// leader.
    void hop(const Slice& data, bool to_root) const {
        if (root_position == lead || !in_root_group()) return;
        Link& link = split.inside->link();
        const int from = to_root ? lead : root_position, to = to_root ? root_position : lead;
        if (position == from) link.send(to, data);
        if (position == to) link.receive(from, data);
    }

    /// Ranks at positions that not every group has receive the result from a rank of their group.
    void serve_extras(const Slice& data) const {
        Link& link = split.inside->link();
        if (position >= lanes)
            link.receive(position % lanes, data);
        else
            for (int extra = position + lanes; extra < link.size(); extra += lanes) link.send(extra, data);
    }

    const Args& args;
    const Split& split;
    const Partition& partition;
    int rank, group, position;
    int lanes;  // positions that every group has
    int root_group, root_position;
    int lead;  // position of the leaders: the root's, if every group has it
};

}  // namespace echelon
