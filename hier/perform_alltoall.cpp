// SPDX-License-Identifier: Apache-2.0
#include "hier/perform.hpp"

#include "hier/arrangement.hpp"
#include "hier/view.hpp"

namespace echelon {
namespace {

/// Copies blocks [i][j] to [j][i].
void transpose(Link& link, const Slice& into, const Slice& from, int rows, int columns) {
    const Blocks to(into, rows * columns), of(from, rows * columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) link.copy(to[j * rows + i], of[i * columns + j]);
}

}  // namespace

void alltoall_by_positions(const Phase& phase, Team& team, const Args& args) {
    const View view(phase, team, args);
    Link& link = team.link();
    const int groups = view.partition.group_count(), positions = view.partition.largest();
    const Blocks sent(args.input, link.size()), received(args.data, link.size());
    const auto to = Arrangement::by_position(view.partition, sent);
    const auto from = Arrangement::by_group(view.partition, received);
    const std::size_t count = args.data.count;

    Scratch scratch(link);
    const Slice turned = scratch(count);
    Slice input = args.input;
    if (!to.is_by_rank()) to.arrange(link, input = turned);
    perform(phase.parts[0], *view.split.inside, view.exchange(input, args.data));
    transpose(link, turned, args.data, positions, groups);
    const Slice arriving = from.is_by_rank() ? args.data : scratch(count);
    perform(phase.parts[1], *view.split.across, view.exchange(turned, arriving));
    if (!from.is_by_rank()) from.restore(link, arriving);
}

void alltoall_over_leaders(const Phase& phase, Team& team, const Args& args) {
    const View view(phase, team, args);
    const Partition& partition = view.partition;
    Link& link = team.link();
    const int groups = partition.group_count(), positions = partition.largest();
    const std::size_t count = args.data.count, length = count / std::size_t(link.size());
    const std::size_t all = count * std::size_t(positions);
    const auto vectors = [&](const Slice& group) { return Blocks(group, positions); };
    const auto around = [&](const Slice& own) {
        return vectors(Arrangement::around(own, count * std::size_t(view.position), all));
    };

    Scratch scratch(link);
    const bool leads = view.leads();
    const Slice own = leads ? scratch(all) : Slice{}, others = leads ? scratch(all) : Slice{};
    const Blocks gathered = leads ? vectors(own) : around(args.input);
    if (leads) link.copy(gathered[view.position], args.input);
    perform(phase.parts[0], *view.split.inside, view.with(gathered.whole(), view.lead, gathered));
    // The order between the leaders: by group, then by the sender's position, then by the receiver's.
    const auto each = [&](const auto& act) {
        std::size_t at = 0;
        for (int group = 0; group < groups; ++group)
            for (int i = 0; i < positions; ++i)
                for (int j = 0; j < positions; ++j, at += length) act(group, i, j, others.part(at, length));
    };
    const auto block = [&](int position, int rank) {
        return own.part(count * std::size_t(position) + length * std::size_t(rank), length);
    };
    if (leads) {
        each([&](int group, int sender, int receiver, const Slice& there) {
            link.copy(there, block(sender, partition.at(group, receiver)));
        });
        perform(phase.parts[1], *view.split.across, view.exchange(others, own));
        link.copy(others, own);
        each([&](int group, int sender, int receiver, const Slice& there) {
            link.copy(block(receiver, partition.at(group, sender)), there);
        });
    }
    const Blocks scattered = leads ? vectors(own) : around(args.data);
    perform(phase.parts[2], *view.split.inside, view.with(scattered.whole(), view.lead, scattered));
    if (leads) link.copy(args.data, scattered[view.position]);
}

}  // namespace echelon
