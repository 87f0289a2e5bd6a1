// SPDX-License-Identifier: Apache-2.0
#include "hier/recording_size.hpp"

#include <algorithm>

namespace echelon {
namespace {

RecordingSize size_of(const Program& program) {
    RecordingSize made{.bytes = sizeof(Program), .scratch = double(program.scratch)};
    for (const Program::Strand& strand : program.strands) {
        made.steps += double(strand.size());
        made.bytes += double(sizeof strand + strand.capacity() * sizeof(Step));
    }
    for (const Program::Link& link : program.links)
        made.bytes += double(sizeof link + link.members.capacity() * sizeof(int));
    return made;
}

void add(RecordingSize& sum, const RecordingSize& one, double times) {
    sum.steps += times * one.steps;
    sum.bytes += times * one.bytes;
    sum.scratch += times * one.scratch;
}

}  // namespace

RecordingSize recording_size(const Recipe& recipe, const Call& call, const Placement& placement,
                             std::optional<WindowShape> window, double most_bytes) {
    const int p = placement.size();
    const auto of_rank = [&](int rank) {
        Program program;
        Recorder recorder(program, rank, p, call.element_size);
        RecordedTeam team(recorder, placement, window);
        perform(resolve(recipe, call.collective, placement, rank, call.operation), team, call.args(p));
        return size_of(program);
    };
    // The root may have all messages of a star, and rank 0, the default root, all messages of a leader.
    RecordingSize sum = of_rank(call.root);
    if (p == 1) return sum;
    constexpr int most_asked = 8;
    const int asked = std::min(most_asked, p - 1);
    for (int i = 0; i < asked && sum.bytes <= most_bytes; ++i) {
        const int others = int((i + 0.5) * (p - 1) / asked);
        add(sum, of_rank((call.root + 1 + others) % p), double(p - 1) / asked);
    }
    return sum;
}

}  // namespace echelon
