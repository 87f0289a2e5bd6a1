// SPDX-License-Identifier: Apache-2.0
#include "cache/plan.hpp"

namespace echelon {
namespace {

/// Lists the links of the divisions that the recorded site used, in the numbering of the program.
void follow(const RecordedSite& recorded, MpiSite& site, std::vector<MpiLink*>& links) {
    if (recorded.number() >= links.size()) links.resize(recorded.number() + 1);
    links[recorded.number()] = &site.mpi_link();
    for (const auto& division : recorded.divisions()) {
        follow(*division.inside, site.inside(division.groups), links);
        follow(*division.across, site.across(division.groups), links);
    }
}

void count(Plan& plan, const Program& program) {
    plan.scratch = program.scratch;
    plan.writes_data = false;
    for (const auto& strand : program.strands)
        for (const Step& step : strand) {
            const bool writes = step.kind == Step::Kind::receive || step.kind == Step::Kind::reduce ||
                                step.kind == Step::Kind::copy || step.kind == Step::Kind::get ||
                                step.kind == Step::Kind::fold;
            if (writes && step.what.buffer == Buffer::data) plan.writes_data = true;
            if (step.kind != Step::Kind::send) continue;
            ++plan.messages;
            plan.elements_sent += step.what.count;
        }
    // What native phases do is not known here; in place they may write.
    if (plan.phase.uses_native()) plan.writes_data = true;
}

}  // namespace

void prepare(Plan& plan, const Call& call, MpiSite& site, Memory& memory, std::optional<WindowShape> window) {
    auto program = std::make_unique<Program>();
    RecordedSite recorded(Recorder(*program, site.link().rank(), site.link().size(), call.element_size),
                          site.placement(), window);
    perform(plan.phase, recorded, call.args(site.link().size()));
    count(plan, *program);
    std::vector<MpiLink*> links;
    follow(recorded, site, links);
    if (!plan.phase.pipelined()) return;
    plan.program = std::move(program);
    plan.engine = std::make_unique<Engine>(*plan.program, std::move(links), memory);
}

}  // namespace echelon
