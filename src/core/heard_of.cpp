// SPDX-License-Identifier: Apache-2.0
#include "core/heard_of.hpp"

#include <algorithm>
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
    std::map<std::tuple<int, int, std::uint64_t, std::size_t>, std::vector<bool>>
        put;  // by rank, window, round
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
                const Program::Link& link = program.links[step.link];
                const auto slot = [&](int rank) {
                    return std::tuple(rank, link.members.front(), link.channel, step.round);
                };
                if (step.kind == Step::Kind::put || step.kind == Step::Kind::expose ||
                    step.kind == Step::Kind::offer)
                    put[slot(int(r))] = state.heard;
                if (step.kind == Step::Kind::get || step.kind == Step::Kind::fold) {
                    const bool one = step.kind == Step::Kind::get;
                    const auto first = link.members.begin() + (one ? step.peer : 0);
                    std::vector<int> owners(first, one ? first + 1 : first + step.peer);
                    std::erase(owners, int(r));
                    if (!std::all_of(owners.begin(), owners.end(),
                                     [&](int owner) { return put.contains(slot(owner)); }))
                        break;
                    for (const int owner : owners) {
                        const std::vector<bool>& heard = put[slot(owner)];
                        for (std::size_t i = 0; i < p; ++i) state.heard[i] = state.heard[i] || heard[i];
                    }
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
