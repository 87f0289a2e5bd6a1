// SPDX-License-Identifier: Apache-2.0
#include "hier/perform.hpp"

#include "hier/shapes.hpp"

namespace echelon {

namespace {

class Heard {
public:
    Heard(const Phase& phase, Team& team, const Args& args) : listener_(team.listener()) {
        if (listener_ != nullptr) listener_->began(phase, team, args);
    }
    ~Heard() {
        if (listener_ != nullptr) listener_->ended();
    }
    Heard(const Heard&) = delete;
    Heard& operator=(const Heard&) = delete;

private:
    PhaseListener* listener_;
};

void perform_shape(const Phase& phase, Team& team, const Args& args) {
    using Body = ShapeRow::Body;
    switch (phase.row->body) {
        case Body::moves:
            return perform_moves(phase, team, args);
        case Body::scan:
            return perform_scan(phase, team, args);
        case Body::gather_over_leaders:
            return gather_over_leaders(phase, team, args);
        case Body::scatter_over_leaders:
            return scatter_over_leaders(phase, team, args);
        case Body::allgather_in_groups:
            return allgather_in_groups(phase, team, args);
        case Body::reduce_scatter_over_leaders:
            return reduce_scatter_over_leaders(phase, team, args);
        case Body::allgather_in_lanes:
            return allgather_in_lanes(phase, team, args);
        case Body::reduce_scatter_in_lanes:
            return reduce_scatter_in_lanes(phase, team, args);
        case Body::alltoall_by_positions:
            return alltoall_by_positions(phase, team, args);
        case Body::alltoall_over_leaders:
            return alltoall_over_leaders(phase, team, args);
    }
}

}  // namespace

void perform(const Phase& phase, Team& team, const Args& args) {
    const Heard heard(phase, team, args);
    switch (phase.kind) {
        case Phase::Kind::native:
            return team.native(phase.collective, args);
        case Phase::Kind::flat: {
            Args own = args;
            own.segment = phase.segment;
            own.radix = phase.radix;
            own.schedule = phase.schedule;
            return phase.algorithm->body(team.link(), own);
        }
        case Phase::Kind::sequence:
            for (const Phase& part : phase.parts) perform(part, team, args);
            return;
        case Phase::Kind::shape:
            return perform_shape(phase, team, args);
    }
}

}  // namespace echelon
