// SPDX-License-Identifier: Apache-2.0
#include "hier/perform.hpp"

#include "hier/perform_alltoall.hpp"
#include "hier/perform_blocks.hpp"
#include "hier/perform_scan.hpp"
#include "hier/stages.hpp"
#include "hier/view.hpp"

namespace echelon {
namespace {

void perform_leaders(const Phase& phase, Site& site, const Args& args) {
    const View view(phase, site, args);
    Site &inside = *view.split.inside, &across = *view.split.across;
    const auto& parts = phase.parts;
    if (phase.collective == Collective::reduce) {
        run_stages(
            phase, site, args.data,
            [&](const Slice& data) { perform(parts[0], inside, view.with(data, view.lead)); },
            [&](const Slice& data) {
                if (view.leads()) perform(parts[1], across, view.with(data, view.root_group));
            },
            [&](const Slice& data) { view.hop(data, true); });
    } else if (phase.collective == Collective::bcast) {
        run_stages(
            phase, site, args.data, [&](const Slice& data) { view.hop(data, false); },
            [&](const Slice& data) {
                if (view.leads()) perform(parts[0], across, view.with(data, view.root_group));
            },
            [&](const Slice& data) { perform(parts[1], inside, view.with(data, view.lead)); });
    } else {  // allreduce, barrier
        run_stages(
            phase, site, args.data,
            [&](const Slice& data) { perform(parts[0], inside, view.with(data, view.lead)); },
            [&](const Slice& data) {
                if (view.leads()) perform(parts[1], across, view.with(data));
            },
            [&](const Slice& data) { perform(parts[2], inside, view.with(data, view.lead)); });
    }
}

void perform_positions(const Phase& phase, Site& site, const Args& args) {
    const View view(phase, site, args);
    Site &inside = *view.split.inside, &across = *view.split.across;
    const auto& parts = phase.parts;
    if (phase.collective == Collective::reduce) {
        run_stages(
            phase, site, args.data, [&](const Slice& data) { perform(parts[0], inside, view.with(data)); },
            [&](const Slice& data) {
                if (view.leads()) perform(parts[1], across, view.with(data, view.root_group));
            },
            [&](const Slice& data) { view.hop(data, true); });
    } else if (phase.collective == Collective::bcast) {
        run_stages(
            phase, site, args.data,
            [&](const Slice& data) {
                if (view.in_root_group()) perform(parts[0], inside, view.with(data, view.root_position));
            },
            [&](const Slice& data) {
                if (view.position < view.lanes) perform(parts[1], across, view.with(data, view.root_group));
            },
            [&](const Slice& data) {
                if (!view.in_root_group()) view.serve_extras(data);
            });
    } else {  // allreduce, barrier
        run_stages(
            phase, site, args.data, [&](const Slice& data) { perform(parts[0], inside, view.with(data)); },
            [&](const Slice& data) {
                if (view.position < view.lanes) perform(parts[1], across, view.with(data));
            },
            [&](const Slice& data) { view.serve_extras(data); });
    }
}

void perform_lanes(const Phase& phase, Site& site, const Args& args) {
    const View view(phase, site, args);
    Site &inside = *view.split.inside, &across = *view.split.across;
    const auto& parts = phase.parts;
    const auto whole = [&](const Slice& data, int root = 0) {
        return view.with(data, root, Blocks(data, view.lanes));
    };
    const auto on_lane = [&](const Phase& outer, const Slice& data, int root = 0) {
        if (view.position < view.lanes)
            perform(outer, across, view.with(Blocks(data, view.lanes)[view.position], root));
    };
    if (phase.collective == Collective::reduce) {
        run_stages(
            phase, site, args.data, [&](const Slice& data) { perform(parts[0], inside, whole(data)); },
            [&](const Slice& data) { on_lane(parts[1], data, view.root_group); },
            [&](const Slice& data) {
                if (view.in_root_group()) perform(parts[2], inside, whole(data, view.root_position));
            });
    } else if (phase.collective == Collective::bcast) {
        run_stages(
            phase, site, args.data,
            [&](const Slice& data) {
                if (view.in_root_group()) perform(parts[0], inside, whole(data, view.root_position));
            },
            [&](const Slice& data) { on_lane(parts[1], data, view.root_group); },
            [&](const Slice& data) { perform(parts[2], inside, whole(data)); });
    } else {  // allreduce
        run_stages(
            phase, site, args.data, [&](const Slice& data) { perform(parts[0], inside, whole(data)); },
            [&](const Slice& data) { on_lane(parts[1], data); },
            [&](const Slice& data) { perform(parts[2], inside, whole(data)); });
    }
}

}  // namespace

void perform(const Phase& phase, Site& site, const Args& args) {
    if (phase.groups && phase.collective == Collective::alltoall) return perform_alltoall(phase, site, args);
    if (phase.groups && in_blocks(phase.collective)) return perform_blocks(phase, site, args);
    if (phase.groups && is_scan(phase.collective)) return perform_scan(phase, site, args);
    switch (phase.kind) {
        case Phase::Kind::native:
            return site.native(phase.collective, args);
        case Phase::Kind::flat: {
            Args own = args;
            own.segment = phase.segment;
            own.radix = phase.radix;
            own.schedule = phase.schedule;
            return phase.algorithm->body(site.link(), own);
        }
        case Phase::Kind::sequence:
            for (const Phase& part : phase.parts) perform(part, site, args);
            return;
        case Phase::Kind::leaders:
            return perform_leaders(phase, site, args);
        case Phase::Kind::positions:
            return perform_positions(phase, site, args);
        case Phase::Kind::lanes:
            return perform_lanes(phase, site, args);
    }
}

}  // namespace echelon
