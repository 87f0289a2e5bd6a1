// SPDX-License-Identifier: Apache-2.0
#include "hier/perform.hpp"

#include "hier/shapes.hpp"

namespace echelon {

void perform(const Phase& phase, Site& site, const Args& args) {
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
