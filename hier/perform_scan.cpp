// SPDX-License-Identifier: Apache-2.0
#include "hier/perform.hpp"

#include "hier/stages.hpp"
#include "hier/view.hpp"

namespace echelon {

/// A scan inside the groups gives the last rank of each group the sum of the group. An exscan of these sums
/// runs between the leaders. A broadcast inside each group distributes the sum of all groups before, which
/// each rank puts before its own. The leader is the last rank, or the last at a position that every group
/// has.
///
///   groups 012 ; 34     rank 0   rank 1   rank 2   rank 3   rank 4
///   scan inside         0        01       012      3        34
///   exscan, bcast                                  012      012
///   result              0        01       012      0123     01234
void perform_scan(const Phase& phase, Team& team, const Args& args) {
    const View view(phase, team, args);
    Team &inside = *view.split.inside, &across = *view.split.across;
    Link &link = team.link(), &group = inside.link();
    const int lead = view.lanes - 1, last = group.size() - 1;
    const bool leads = view.position == lead, knows_sum = view.position == last;
    const bool exclusive = phase.collective == Collective::exscan, first_group = view.group == 0;
    Scratch scratch(link);
    const Slice room = scratch(args.data.count);
    // For the segment `data`: first the sum of the group, after the exscan the sum of the groups before it.
    const auto sums = [&](const Slice& data) {
        return room.part(data.offset - args.data.offset, data.count);
    };

    const auto inner = [&](const Slice& data) {
        if (exclusive && knows_sum) link.copy(sums(data), data);
        perform(phase.parts[0], inside, view.with(data));
        if (!knows_sum) return;
        if (!exclusive)
            link.copy(sums(data), data);
        else if (view.position > 0)
            link.reduce(sums(data), data, Side::before);
    };
    const auto outer = [&](const Slice& data) {
        if (lead != last) {
            if (knows_sum) group.send(lead, sums(data));
            if (leads) group.receive(last, sums(data));
        }
        if (leads) perform(phase.parts[1], across, view.with(sums(data)));
    };
    const auto spread = [&](const Slice& data) {
        if (first_group) return;
        perform(phase.parts[2], inside, view.with(sums(data), lead));
        if (exclusive && view.position == 0)
            link.copy(data, sums(data));
        else
            link.reduce(data, sums(data), Side::before);
    };
    run_stages(phase, team, args.data, 3, [&](std::size_t i, const Slice& data) {
        return i == 0 ? inner(data) : i == 1 ? outer(data) : spread(data);
    });
}

}  // namespace echelon
