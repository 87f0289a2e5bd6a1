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
            return phase.row->body(phase, team, args);
    }
}

}  // namespace echelon
