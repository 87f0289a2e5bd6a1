// SPDX-License-Identifier: Apache-2.0
#include "hier/perform.hpp"

#include "hier/arrangement.hpp"
#include "hier/shapes.hpp"
#include "hier/view.hpp"

namespace echelon {
namespace {

/// A rank's view, and the blocks in the order of the groups or of the lanes.
struct BlockView : View {
    BlockView(const Phase& phase, Team& team, const Args& arguments)
        : View(phase, team, arguments),
          link(team.link()),
          inside(*split.inside),
          across(*split.across),
          order(phase.row->shape == Recipe::Kind::lanes ? Arrangement::by_position(partition, args.blocks)
                                                        : Arrangement::by_group(partition, args.blocks)),
          own(args.blocks[rank]) {}

    Args with(const Blocks& blocks, int root = 0) const { return View::with(blocks.whole(), root, blocks); }
    /// The slice on which a rank with all blocks works: its vector, or `scratch` if the blocks must be in
    /// another order.
    Slice all(Scratch& scratch) const {
        return order.is_by_rank() ? args.blocks.whole() : scratch(order.count());
    }
    /// The blocks of the own group, whose run lies in `there`.
    Blocks group_blocks(const Slice& there) const { return order.blocks(group, there); }
    Slice group_run(const Slice& all) const { return order.runs(all)[group]; }

    Link& link;
    Team &inside, &across;
    Arrangement order;
    Slice own;
};

}  // namespace

void gather_over_leaders(const Phase& phase, Team& team, const Args& args) {
    const BlockView view(phase, team, args);
    Scratch scratch(view.link);
    const bool at_root = view.rank == args.root, collects_all = view.leads() && view.in_root_group();
    Slice all;
    if (at_root)
        all = view.all(scratch);
    else if (collects_all)
        all = scratch(view.order.count());
    if (view.leads()) {
        const Slice run = collects_all ? view.group_run(all) : scratch(view.order.count(view.group));
        const Blocks blocks = view.group_blocks(run);
        if (const Slice place = blocks[view.position]; place != view.own) view.link.copy(place, view.own);
        perform(phase.parts[0], view.inside, view.with(blocks, view.lead));
        perform(phase.parts[1], view.across,
                view.with(view.order.runs(collects_all ? all : view.order.around_run(view.group, run)),
                          view.root_group));
    } else {
        const Slice around = view.order.around_block(view.group, view.position, view.own);
        perform(phase.parts[0], view.inside, view.with(view.group_blocks(around), view.lead));
    }
    view.hop(all, true);
    if (at_root && !view.order.is_by_rank()) view.order.restore(view.link, all);
}

void scatter_over_leaders(const Phase& phase, Team& team, const Args& args) {
    const BlockView view(phase, team, args);
    Scratch scratch(view.link);
    const bool at_root = view.rank == args.root, has_all = view.leads() && view.in_root_group();
    Slice all;
    if (at_root)
        all = view.all(scratch);
    else if (has_all)
        all = scratch(view.order.count());
    if (at_root && !view.order.is_by_rank()) view.order.arrange(view.link, all);
    view.hop(all, false);
    if (view.leads()) {
        const Slice run = has_all ? view.group_run(all) : scratch(view.order.count(view.group));
        const Blocks blocks = view.group_blocks(run);
        perform(phase.parts[0], view.across,
                view.with(view.order.runs(has_all ? all : view.order.around_run(view.group, run)),
                          view.root_group));
        perform(phase.parts[1], view.inside, view.with(blocks, view.lead));
        if (!at_root) view.link.copy(view.own, blocks[view.position]);
    } else {
        // A root that does not lead gets its block back, but may only read its vector.
        const Slice own = at_root ? scratch(view.own.count) : view.own;
        const Slice around = view.order.around_block(view.group, view.position, own);
        perform(phase.parts[1], view.inside, view.with(view.group_blocks(around), view.lead));
    }
}

void allgather_in_groups(const Phase& phase, Team& team, const Args& args) {
    const BlockView view(phase, team, args);
    Scratch scratch(view.link);
    const Slice all = view.all(scratch);
    const Blocks blocks = view.group_blocks(view.group_run(all));
    if (!view.order.is_by_rank()) view.link.copy(blocks[view.position], view.own);
    const bool over_leaders = phase.row->shape == Recipe::Kind::leaders;
    perform(phase.parts[0], view.inside, view.with(blocks, view.lead));
    if (over_leaders ? view.leads() : view.position < view.lanes)
        perform(phase.parts[1], view.across, view.with(view.order.runs(all)));
    if (over_leaders)
        perform(phase.parts[2], view.inside, view.View::with(all, view.lead));
    else
        view.serve_extras(all);
    if (!view.order.is_by_rank()) view.order.restore(view.link, all);
}

void reduce_scatter_over_leaders(const Phase& phase, Team& team, const Args& args) {
    const BlockView view(phase, team, args);
    perform(phase.parts[0], view.inside, view.View::with(args.blocks.whole(), view.lead));
    Scratch scratch(view.link);
    if (view.leads()) {
        const Slice all = view.all(scratch);
        if (!view.order.is_by_rank()) view.order.arrange(view.link, all);
        perform(phase.parts[1], view.across, view.with(view.order.runs(all)));
        const Blocks blocks = view.group_blocks(view.group_run(all));
        perform(phase.parts[2], view.inside, view.with(blocks, view.lead));
        if (!view.order.is_by_rank()) view.link.copy(view.own, blocks[view.position]);
    } else {
        const Slice around = view.order.around_block(view.group, view.position, view.own);
        perform(phase.parts[2], view.inside, view.with(view.group_blocks(around), view.lead));
    }
}

void allgather_in_lanes(const Phase& phase, Team& team, const Args& args) {
    const BlockView view(phase, team, args);
    Scratch scratch(view.link);
    const Slice all = view.all(scratch);
    const Blocks lanes = view.order.runs(all);
    const Blocks lane = view.order.blocks(view.position, lanes[view.position]);
    if (!view.order.is_by_rank()) view.link.copy(lane[view.group], view.own);
    perform(phase.parts[0], view.across, view.with(lane));
    perform(phase.parts[1], view.inside, view.with(lanes));
    if (!view.order.is_by_rank()) view.order.restore(view.link, all);
}

void reduce_scatter_in_lanes(const Phase& phase, Team& team, const Args& args) {
    const BlockView view(phase, team, args);
    Scratch scratch(view.link);
    const Slice all = view.all(scratch);
    if (!view.order.is_by_rank()) view.order.arrange(view.link, all);
    const Blocks lanes = view.order.runs(all);
    const Blocks lane = view.order.blocks(view.position, lanes[view.position]);
    perform(phase.parts[0], view.inside, view.with(lanes));
    perform(phase.parts[1], view.across, view.with(lane));
    if (!view.order.is_by_rank()) view.link.copy(view.own, lane[view.group]);
}

}  // namespace echelon
