// SPDX-License-Identifier: Apache-2.0
#include "cache/plan.hpp"

#include "hier/lengths.hpp"

namespace echelon {
namespace {

/// Lists the links of the divisions that the recorded team used, in the numbering of the program.
void follow(const RecordedTeam& recorded, MpiTeam& team, std::vector<MpiLink*>& links) {
    if (recorded.number() >= links.size()) links.resize(recorded.number() + 1);
    links[recorded.number()] = &team.mpi_link();
    for (const auto& division : recorded.divisions()) {
        follow(*division.inside, team.inside(division.groups), links);
        follow(*division.across, team.across(division.groups), links);
    }
}

void count(Plan& plan, const Call& call, const Program& program) {
    plan.given = call.given;
    plan.scratch = program.scratch;
    plan.messages = plan.elements_sent = 0;
    plan.writes_data = false;
    for (const auto& strand : program.strands)
        for (const Step& step : strand) {
            const bool writes = step.kind == Step::Kind::receive || step.kind == Step::Kind::reduce ||
                                step.kind == Step::Kind::copy || step.kind == Step::Kind::get ||
                                step.kind == Step::Kind::fold || step.kind == Step::Kind::offer;
            if (writes && step.what.buffer == Buffer::data) plan.writes_data = true;
            if (step.kind != Step::Kind::send) continue;
            ++plan.messages;
            plan.elements_sent += step.what.count;
        }
    // Steps of native phases are not recorded; in place they may write.
    if (plan.phase.uses_native()) plan.writes_data = true;
}

}  // namespace

void prepare(Plan& plan, const Call& call, MpiTeam& team, Memory& memory, std::optional<WindowShape> window) {
    auto program = std::make_unique<Program>();
    RecordedTeam recorded(Recorder(*program, team.link().rank(), team.link().size(), call.element_size),
                          team.placement(), window);
    perform(phase_for(plan.phase, call.given), recorded, call.args(team.link().size()));
    count(plan, call, *program);
    std::vector<MpiLink*> links;
    follow(recorded, team, links);
    if (!plan.phase.pipelined()) return;
    plan.engine = std::make_unique<Engine>(*program, std::move(links), memory);
    plan.program = std::move(program);
}

void prepare_started(Plan& plan, const Call& call, const Placement& placement, int rank) {
    auto program = std::make_shared<Program>();
    RecordedTeam recorded(Recorder(*program, rank, placement.size(), call.element_size), placement);
    perform(phase_for(plan.phase, call.given), recorded, call.args(placement.size()));
    count(plan, call, *program);
    plan.program = std::move(program);
    plan.ended = std::make_shared<PendingCall::Pool>();
}

void StartedPlan::fit(const GivenBlocks& given) {
    if (plan.given == given) return;
    call.given = given;
    prepare_started(plan, call, placement, rank);
}

std::shared_ptr<StartedPlan> StartedPlan::renewed() const {
    StartedPlan made{
        .plan = {.choice = {}, .phase = plan.phase}, .call = call, .placement = placement, .rank = rank};
    return std::make_shared<StartedPlan>(std::move(made));
}

namespace {

struct RecordedNumbers {
    RecordedNumbers(const Phase& phase, int root, const Placement& placement, int rank, int size)
        : team(Recorder(*program, rank, size, 1), placement), bytes(record_lengths(phase, team, root)) {}
    std::shared_ptr<Program> program = std::make_shared<Program>();
    RecordedTeam team;
    Bytes bytes;
};

}  // namespace

void prepare_numbers(Plan& plan, const Call& call, MpiTeam& team, Memory& memory) {
    if (!forwards_blocks(plan.phase)) return;
    const RecordedNumbers made(plan.phase, call.root, team.placement(), team.link().rank(),
                               team.link().size());
    std::vector<MpiLink*> links;
    follow(made.team, team, links);
    auto engine = std::make_unique<Engine>(*made.program, std::move(links), memory);
    plan.numbers = std::make_shared<Numbers>(
        Numbers{.program = made.program, .bytes = made.bytes, .engine = std::move(engine)});
}

void prepare_started_numbers(Plan& plan, const Call& call, const Placement& placement, int rank) {
    if (!forwards_blocks(plan.phase)) return;
    const RecordedNumbers made(plan.phase, call.root, placement, rank, placement.size());
    StartedPlan blocks{
        .plan = {.choice = {}, .phase = plan.phase}, .call = call, .placement = placement, .rank = rank};
    plan.program = made.program;
    plan.numbers =
        std::make_shared<Numbers>(Numbers{.program = made.program,
                                          .bytes = made.bytes,
                                          .blocks = std::make_shared<StartedPlan>(std::move(blocks))});
}

}  // namespace echelon
