// SPDX-License-Identifier: Apache-2.0
#include "core/heard_of.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

namespace echelon {
namespace {

/// Which ranks a rank has heard of: with each message, and with what is put into a window, goes whatever its sender knew.
class Hearing {
public:
    explicit Hearing(const Schedule& schedule) : schedule_(schedule), ranks_(schedule.ranks.size()) {
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            ranks_[r].heard.assign(ranks_.size(), false);
            ranks_[r].heard[r] = true;
        }
    }

    void run() {
        for (bool moved = true; moved;) {
            moved = false;
            for (rank_ = 0; rank_ < int(ranks_.size()); ++rank_)
                while (advance()) moved = true;
        }
    }

    bool heard(std::size_t rank, std::size_t of) const { return ranks_[rank].heard[of]; }

private:
    using Known = std::vector<bool>;
    struct State {
        Known heard;
        std::size_t next = 0;
    };

    State& here() { return ranks_[std::size_t(rank_)]; }
    const Program& program() const { return schedule_.ranks[std::size_t(rank_)]; }
    const Program::Strand& code() const { return program().strands.front(); }

    bool advance() {
        if (here().next == code().size() || !perform(code()[here().next])) return false;
        ++here().next;
        return true;
    }

    /// False: it has to wait.
    bool perform(const Step& step) {
        switch (step.kind) {
            case Step::Kind::send:
                sent_[{rank_, program().peer_of(step), program().links[step.link].channel}].push_back(
                    here().heard);
                return true;
            case Step::Kind::wait: {
                const Step& begun = code()[std::size_t(step.peer)];
                return begun.kind != Step::Kind::receive || receive(begun);
            }
            case Step::Kind::put:
            case Step::Kind::expose:
            case Step::Kind::offer:
                put_[slot(step, rank_)] = here().heard;
                return true;
            case Step::Kind::get:
            case Step::Kind::fold:
                return read(step);
            default:
                return true;
        }
    }

    bool receive(const Step& step) {
        auto& queue = sent_[{program().peer_of(step), rank_, program().links[step.link].channel}];
        if (queue.empty()) return false;
        learn(queue.front());
        queue.pop_front();
        return true;
    }

    /// Of one rank's slot, or of those of the first ranks of the link.
    bool read(const Step& step) {
        const bool one = step.kind == Step::Kind::get;
        const auto first = program().links[step.link].members.begin() + (one ? step.peer : 0);
        std::vector<int> owners(first, one ? first + 1 : first + step.peer);
        std::erase(owners, rank_);
        if (!std::ranges::all_of(owners, [&](int owner) { return put_.contains(slot(step, owner)); }))
            return false;
        for (const int owner : owners) learn(put_[slot(step, owner)]);
        return true;
    }

    void learn(const Known& more) {
        for (std::size_t i = 0; i < more.size(); ++i) here().heard[i] = here().heard[i] || more[i];
    }

    /// By rank, window and round.
    using Slot = std::tuple<int, int, std::uint64_t, std::size_t>;
    Slot slot(const Step& step, int rank) const {
        const Program::Link& link = program().links[step.link];
        return {rank, link.members.front(), link.channel, step.round};
    }

    const Schedule& schedule_;
    std::vector<State> ranks_;
    int rank_ = 0;
    std::map<std::tuple<int, int, std::uint64_t>, std::deque<Known>> sent_;
    std::map<Slot, Known> put_;
};

}  // namespace

std::string unheard(const Schedule& schedule) {
    Hearing hearing(schedule);
    hearing.run();
    for (std::size_t r = 0; r < schedule.ranks.size(); ++r)
        for (std::size_t i = 0; i < schedule.ranks.size(); ++i)
            if (!hearing.heard(r, i))
                return "rank " + std::to_string(r) + " can leave the barrier before rank " +
                       std::to_string(i) + " came";
    return {};
}

}  // namespace echelon
