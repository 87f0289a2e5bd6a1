// SPDX-License-Identifier: Apache-2.0
#include "hier/recorded_team.hpp"

#include "hier/phase_recorder.hpp"

#include <algorithm>

namespace echelon {

const Split& RecordedTeam::split(const Groups& groups) {
    const auto known = std::find_if(divisions_.begin(), divisions_.end(),
                                    [&](const Division& d) { return d.groups == groups; });
    if (known != divisions_.end()) return known->split;

    Partition partition = resolve(groups, placement_.size(), placement_);
    const int rank = recorder_.rank();
    const auto sub_site = [&](std::span<const int> members) {
        return std::make_unique<RecordedTeam>(recorder_.sub_link(members), placement_.of(members), window_,
                                              listener_);
    };
    auto inside = sub_site(partition.members(partition.group_of(rank)));
    auto across = sub_site(partition.positions(partition.position_of(rank)));
    divisions_.push_back(
        {groups, {std::move(partition), inside.get(), across.get()}, std::move(inside), std::move(across)});
    return divisions_.back().split;
}

void RecordedTeam::native(Collective collective, const Args& args) {
    const auto rows = catalog(collective);
    const auto stand_in = std::find_if(rows.begin(), rows.end(), [&](const Algorithm& row) {
        return (row.keeps_order || !args.in_order || !reduces(collective)) && !row.exact_operations_only;
    });
    Args own = args;
    own.segment = stand_in->default_segment;
    own.radix = stand_in->default_radix;
    stand_in->body(recorder_, own);
}

Args Call::args(int p) const {
    const Slice data = given ? given->blocks.whole() : Slice{0, count};
    return {.data = data,
            .input = given && given->sent ? given->sent->whole() : Slice{0, data.count, Buffer::input},
            .blocks = given ? given->blocks : Blocks(data, p),
            .sent = given ? given->sent : std::nullopt,
            .root = root,
            .in_order = operation.in_order};
}

Schedule record(const Recipe& recipe, const Call& call, const Placement& placement,
                std::optional<WindowShape> window, PhaseSpans* phases) {
    const int p = placement.size();
    return record(p, call.element_size, [&](Recorder& recorder) {
        std::optional<PhaseRecorder> listener;
        if (phases != nullptr) listener.emplace(*phases, recorder.rank());
        RecordedTeam team(recorder, placement, window, listener ? &*listener : nullptr);
        perform(resolve(recipe, call.collective, placement, recorder.rank(), call.operation), team,
                call.args(p));
    });
}

}  // namespace echelon
