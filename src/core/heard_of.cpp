// SPDX-License-Identifier: Apache-2.0
#include "core/heard_of.hpp"

#include <deque>
#include <map>
#include <tuple>
#include <vector>

namespace echelon {

std::string unheard(const Schedule& schedule) {
    const auto p = schedule.ranks.size();
    struct State {
        std::vector<bool> heard;
        std::size_t next = 0;
        std::vector<char> finished;
    };
    std::vector<State> states(p);
    std::map<std::tuple<int, int, std::uint64_t>, std::deque<std::vector<bool>>> sent;
    for (std::size_t r = 0; r < p; ++r) {
        states[r].heard.assign(p, false);
        states[r].heard[r] = true;
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t r = 0; r < p; ++r) {
            const Program& program = schedule.ranks[r];
            const auto& strand = program.strands.front();
            State& state = states[r];
            while (state.next < strand.size()) {
                const Step& step = strand[state.next];
                if (step.kind == Step::Kind::send)
                    sent[{int(r), program.peer_of(step), program.links[step.link].channel}].push_back(
                        state.heard);
                if (step.kind == Step::Kind::wait &&
                    strand[std::size_t(step.peer)].kind == Step::Kind::receive) {
                    const Step& receive = strand[std::size_t(step.peer)];
                    auto& queue =
                        sent[{program.peer_of(receive), int(r), program.links[receive.link].channel}];
                    if (queue.empty()) break;
                    for (std::size_t i = 0; i < p; ++i) state.heard[i] = state.heard[i] || queue.front()[i];
                    queue.pop_front();
                }
                ++state.next;
                moved = true;
            }
        }
    }
    for (std::size_t r = 0; r < p; ++r)
        for (std::size_t i = 0; i < p; ++i)
            if (!states[r].heard[i])
                return "rank " + std::to_string(r) + " can leave the barrier before rank " +
                       std::to_string(i) + " came";
    return {};
}

}  // namespace echelon
