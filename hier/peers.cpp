// SPDX-License-Identifier: Apache-2.0
#include "hier/peers.hpp"

#include <set>

namespace echelon {

std::vector<int> peers(const Recipe& recipe, const Call& call, const Placement& placement, int rank) {
    const int p = placement.size();
    Program program;
    RecordedTeam team(Recorder(program, rank, p, call.element_size), placement);
    perform(resolve(recipe, call.collective, placement, rank, call.operation), team, call.args(p));
    std::set<int> found;
    for (const Program::Strand& strand : program.strands)
        for (const Step& step : strand)
            if (step.kind == Step::Kind::send || step.kind == Step::Kind::receive)
                found.insert(program.peer_of(step));
    found.erase(rank);
    return {found.begin(), found.end()};
}

}  // namespace echelon
