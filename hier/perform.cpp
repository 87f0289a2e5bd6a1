// SPDX-License-Identifier: Apache-2.0
#include "hier/perform.hpp"

#include "core/error.hpp"
#include "hier/perform_blocks.hpp"
#include "hier/view.hpp"

namespace echelon {
namespace {

/// Runs stages one after the other, or, where the shape has a segment size, each on a strand of its own:
/// stage i takes up a segment as soon as stage i - 1 has finished it. Written once, for all shapes and
/// collectives.
template <class... Stages>
void run(const Phase& phase, Site& site, const Slice& data, Stages&&... stages) {
    if (phase.segment == 0) {
        (stages(data), ...);
        return;
    }
    Recorder* recorder = site.recorder();
    if (recorder == nullptr) throw Error("a pipelined recipe must be recorded before it runs");
    const Segments segments(data, segment_elements(phase.segment, site.link().element_size()));
    std::size_t strand = 0;
    const auto on_its_strand = [&](auto& stage) {
        recorder->on_strand(strand);
        for (std::size_t i = 0; i < segments.size(); ++i) {
            if (strand > 0) recorder->await(strand - 1, i + 1);
            stage(segments[i]);
            recorder->mark();
        }
        ++strand;
    };
    (on_its_strand(stages), ...);
}

void perform_leaders(const Phase& phase, Site& site, const Args& args) {
    const View view(phase, site, args);
    Site &inside = *view.split.inside, &across = *view.split.across;
    const auto& parts = phase.parts;
    if (phase.collective == Collective::reduce) {
        run(
            phase, site, args.data,
            [&](const Slice& data) { perform(parts[0], inside, view.with(data, view.lead)); },
            [&](const Slice& data) {
                if (view.leads()) perform(parts[1], across, view.with(data, view.root_group));
            },
            [&](const Slice& data) { view.hop(data, true); });
    } else if (phase.collective == Collective::bcast) {
        run(
            phase, site, args.data, [&](const Slice& data) { view.hop(data, false); },
            [&](const Slice& data) {
                if (view.leads()) perform(parts[0], across, view.with(data, view.root_group));
            },
            [&](const Slice& data) { perform(parts[1], inside, view.with(data, view.lead)); });
    } else {  // allreduce, barrier
        run(
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
        run(
            phase, site, args.data, [&](const Slice& data) { perform(parts[0], inside, view.with(data)); },
            [&](const Slice& data) {
                if (view.leads()) perform(parts[1], across, view.with(data, view.root_group));
            },
            [&](const Slice& data) { view.hop(data, true); });
    } else if (phase.collective == Collective::bcast) {
        run(
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
        run(
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
        run(
            phase, site, args.data, [&](const Slice& data) { perform(parts[0], inside, whole(data)); },
            [&](const Slice& data) { on_lane(parts[1], data, view.root_group); },
            [&](const Slice& data) {
                if (view.in_root_group()) perform(parts[2], inside, whole(data, view.root_position));
            });
    } else if (phase.collective == Collective::bcast) {
        run(
            phase, site, args.data,
            [&](const Slice& data) {
                if (view.in_root_group()) perform(parts[0], inside, whole(data, view.root_position));
            },
            [&](const Slice& data) { on_lane(parts[1], data, view.root_group); },
            [&](const Slice& data) { perform(parts[2], inside, whole(data)); });
    } else {  // allreduce
        run(
            phase, site, args.data, [&](const Slice& data) { perform(parts[0], inside, whole(data)); },
            [&](const Slice& data) { on_lane(parts[1], data); },
            [&](const Slice& data) { perform(parts[2], inside, whole(data)); });
    }
}

}  // namespace

void perform(const Phase& phase, Site& site, const Args& args) {
    if (phase.groups && in_blocks(phase.collective)) return perform_blocks(phase, site, args);
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
