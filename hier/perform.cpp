// SPDX-License-Identifier: Apache-2.0
#include "hier/perform.hpp"

#include "hier/shapes.hpp"

namespace echelon {

namespace {

class Heard {
public:
    Heard(const Phase& phase, Site& site, const Args& args) : listener_(site.listener()) {
        if (listener_ != nullptr) listener_->began(phase, site, args);
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

void perform(const Phase& phase, Site& site, const Args& args) {
    const Heard heard(phase, site, args);
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
        case Phase::Kind::positions:
        case Phase::Kind::lanes:
            return row_of(phase).body(phase, site, args);
    }
}

}  // namespace echelon
