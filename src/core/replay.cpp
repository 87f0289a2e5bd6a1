// SPDX-License-Identifier: Apache-2.0
#include "core/replay.hpp"

#include "core/error.hpp"
#include "core/exposures.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

namespace echelon {
namespace {

/// A started communication.
struct Message {
    int rank, strand;
    std::size_t step;
};

bool exposes(const Schedule& schedule) {
    for (const Program& program : schedule.ranks)
        for (const Program::Strand& strand : program.strands)
            for (const Step& step : strand)
                if (step.kind == Step::Kind::expose || step.kind == Step::Kind::offer) return true;
    return false;
}

class Replay {
public:
    Replay(const Schedule& schedule, Expressions& expressions, std::vector<SymbolicMemory>& memory,
           Ahead ahead, bool barrier)
        : schedule_(schedule),
          expressions_(expressions),
          memory_(memory),
          ahead_(ahead),
          ranks_(schedule.ranks.size()),
          barrier_(barrier),
          exposures_(ranks_.size(), barrier || exposes(schedule)) {
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            const auto& strands = schedule.ranks[r].strands;
            ranks_[r].strands.resize(strands.size());
            for (std::size_t s = 0; s < strands.size(); ++s)
                ranks_[r].strands[s].finished.resize(strands[s].size());
        }
    }

    void run() {
        for (bool moved = true; moved;) {
            moved = false;
            for (rank_ = 0; rank_ < int(ranks_.size()); ++rank_) {
                const int strands = int(here().strands.size());
                for (int i = 0; i < strands; ++i) {
                    strand_ = ahead_ == Ahead::first_strand ? i : strands - 1 - i;
                    while (advance()) moved = true;
                }
            }
        }
        for (rank_ = 0; rank_ < int(ranks_.size()); ++rank_)
            for (strand_ = 0; strand_ < int(here().strands.size()); ++strand_)
                if (at().next < code().size()) fail("waits for ever (deadlock, every send synchronous)");
        for (rank_ = 0; rank_ < int(ranks_.size()); ++rank_)
            if (!here().pending.empty()) {
                const auto& left = here().pending.front();
                strand_ = left.strand;
                at().next = left.step;
                fail("is never waited for");
            }
        if (barrier_) check_that_all_met();
    }

private:
    struct StrandState {
        std::size_t next = 0;
        std::size_t marks = 0;
        std::vector<char> finished;  // by step: the communication it started has ended
    };
    using Known = Exposures::Known;
    struct RankState {
        std::vector<StrandState> strands;
        std::vector<Message> pending;  // started, not yet waited for
        // By strand and step: the knowledge that a sent message carries, and the knowledge that an arriving
        // one brings.
        std::map<std::pair<int, std::size_t>, Known> sent, heard;
    };

    RankState& here() { return ranks_[std::size_t(rank_)]; }
    StrandState& at() { return here().strands[std::size_t(strand_)]; }
    const Program& program() const { return schedule_.ranks[std::size_t(rank_)]; }
    const Program::Strand& code() const { return program().strands[std::size_t(strand_)]; }

    [[noreturn]] void fail(const std::string& what) {
        Program one{.strands = {{code()[at().next]}}, .links = program().links};
        std::string line = to_string(one);
        line = line.substr(line.find(": ") + 2);
        line.pop_back();
        throw Error("rank " + std::to_string(rank_) + ", strand " + std::to_string(strand_) + ", step " +
                    std::to_string(at().next) + " (" + line + ") " + what);
    }

    void check_that_all_met() const {
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            const Known known = exposures_.known_to(int(r));
            if (const auto missing = std::find(known.begin(), known.end(), 0u); missing != known.end())
                throw Error("rank " + std::to_string(r) + " can leave the barrier before rank " +
                            std::to_string(missing - known.begin()) + " came");
        }
    }

    /// True if `wait` completes `message` on this strand.
    bool is_that(const Step& wait, const Message& message) const {
        return message.strand == strand_ && message.step == std::size_t(wait.peer);
    }
    bool under_way(const Step& wait) {
        const auto& pending = here().pending;
        return std::any_of(pending.begin(), pending.end(),
                           [&](const Message& message) { return is_that(wait, message); });
    }

    bool advance() {
        if (at().next >= code().size() || !perform(code()[at().next])) return false;
        exposures_.ends_step(rank_);
        if (++at().next == code().size()) end();
        return true;
    }

    /// Returns false if the step has to wait.
    bool perform(const Step& step) {
        switch (step.kind) {
            case Step::Kind::send:
            case Step::Kind::receive:
                start(step);
                return true;
            case Step::Kind::wait:
                return wait(step);
            case Step::Kind::reduce:
                combine(step);
                return true;
            case Step::Kind::copy:
                copy(step);
                return true;
            case Step::Kind::mark:
                ++at().marks;
                return true;
            case Step::Kind::await:
                return here().strands[std::size_t(step.peer)].marks >= step.what.count;
            case Step::Kind::put:
                return put(step);
            case Step::Kind::get:
                return get(step);
            case Step::Kind::fold:
                return fold(step);
            case Step::Kind::leave:
                leave(step);
                return true;
            case Step::Kind::expose:
            case Step::Kind::offer:
                return expose(step);
            case Step::Kind::give:
                return give(step);
            case Step::Kind::accept:
                accept(step);
                return true;
            case Step::Kind::withdraw:
                return all_left(step, step.round);
        }
        return true;
    }

    bool wait(const Step& step) {
        if (!under_way(step)) fail("waits for nothing that is under way");
        if (!at().finished[std::size_t(step.peer)]) return false;
        if (exposures_.asked()) exposures_.learn(rank_, here().heard[{strand_, std::size_t(step.peer)}]);
        std::erase_if(here().pending, [&](const Message& m) { return is_that(step, m); });
        return true;
    }

    void copy(const Step& step) {
        if (step.what.count != step.from.count) fail("copies between different counts");
        if (step.what.overlaps(step.from)) fail("copies elements onto themselves");
        touch(step.from, false);
        touch(step.what, true);
        const auto source = elements(step.from);
        std::copy(source, source + std::ptrdiff_t(step.from.count), elements(step.what));
    }

    void leave(const Step& step) {
        std::size_t& left = board(step).left[std::size_t(own_place(step))];
        if (step.round < left) fail("was left before");
        left = step.round;
        board(step).leaves[std::size_t(own_place(step))].push_back({left, exposures_.known_to(rank_)});
    }

    void accept(const Step& step) {
        Board& all = board(step);
        const Slot& slot = all.slots[std::size_t(own_place(step))][step.round % all.depth];
        if (slot.rounds != step.round + 1 || !slot.offered) fail("accepts what it has not offered");
        access(rank_, exposures_[*slot.exposed].what, true, "accepts");
    }

    /// After its last step the caller may write or free the exposed elements.
    void end() {
        const auto& strands = here().strands;
        for (std::size_t s = 0; s < strands.size(); ++s)
            if (strands[s].next < program().strands[s].size()) return;
        --at().next;  // fail() names the last step
        for (const Exposures::Exposed& one : exposures_.all())
            if (one.owner == rank_) access(rank_, one.what, true, "ends");
        ++at().next;
    }

    /// Accesses elements that `owner` has exposed. Fails on a race.
    void access(int owner, const Slice& part, bool writes, const char* what) {
        if (const auto other = exposures_.work(rank_, owner, part, writes))
            fail(what + (" while rank " + std::to_string(*other)) + " may work on elements that are exposed");
    }

    void start(const Step& step) {
        const bool sends = step.kind == Step::Kind::send;
        const int peer = program().peer_of(step);
        touch(step.what, !sends);
        here().pending.push_back({rank_, strand_, at().next});
        const Message own{rank_, strand_, at().next};
        if (sends && exposures_.asked()) here().sent[{strand_, at().next}] = exposures_.known_to(rank_);
        const auto key = [&](int from, int to) {
            return std::tuple(from, to, program().links[step.link].channel, strand_);
        };
        auto& queue = sends ? receives_[key(rank_, peer)] : sends_[key(peer, rank_)];
        if (queue.empty()) {
            (sends ? sends_[key(rank_, peer)] : receives_[key(peer, rank_)]).push_back(own);
            return;
        }
        const Message other = queue.front();
        queue.pop_front();
        sends ? transfer(own, other) : transfer(other, own);
    }

    void transfer(const Message& from, const Message& to) {
        const Slice source = slice_of(from), target = slice_of(to);
        if (source.count != target.count)
            fail("meets a peer that names " +
                 std::to_string(rank_ == from.rank ? target.count : source.count) + " elements");
        const auto read = slot(from.rank, source), write = slot(to.rank, target);
        std::copy(read, read + std::ptrdiff_t(source.count), write);
        if (exposures_.asked())
            ranks_[std::size_t(to.rank)].heard[{to.strand, to.step}] =
                std::move(ranks_[std::size_t(from.rank)].sent[{from.strand, from.step}]);
        for (const Message& end : {from, to})
            ranks_[std::size_t(end.rank)].strands[std::size_t(end.strand)].finished[end.step] = 1;
    }

    void combine(const Step& step) {
        if (step.what.count != step.from.count) fail("combines different counts");
        if (step.what.overlaps(step.from)) fail("combines elements with themselves");
        touch(step.from, false);
        touch(step.what, true);
        const auto target = elements(step.what), operand = elements(step.from);
        for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(step.what.count); ++i) {
            Symbol &into = target[i], &with = operand[i];
            if (into.value == Expressions::undefined || with.value == Expressions::undefined)
                fail("combines a value that no step has defined");
            if (into.element != with.element)
                fail("combines element " + std::to_string(into.element) + " with element " +
                     std::to_string(with.element));
            into.value = step.side == Side::before ? expressions_.combine(with.value, into.value)
                                                   : expressions_.combine(into.value, with.value);
        }
    }

    /// A slot of a window. It is overwritten like in memory, which reveals a slot that is filled too early.
    struct Slot {
        std::size_t rounds = 0;  // the round in which it was filled, plus one
        std::vector<Symbol> elements = {};
        std::optional<std::size_t> exposed = {};  // its number in exposures_
        bool offered = false;
        Known known = {};
    };
    struct Board {
        std::size_t depth = 0;
        std::vector<std::vector<Slot>> slots;  // by rank
        std::vector<std::size_t> left;         // by rank
        std::vector<std::vector<std::pair<std::size_t, Known>>> leaves;
    };

    const Program::Link& link_of(const Step& step) const { return program().links[step.link]; }
    int own_place(const Step& step) const {
        const auto& members = link_of(step).members;
        return int(std::find(members.begin(), members.end(), rank_) - members.begin());
    }
    Board& board(const Step& step) {
        const Program::Link& link = link_of(step);
        if (!link.window) fail("is in a window that is not there");
        Board& made = boards_[{link.channel, link.members.front()}];
        if (made.depth == 0) {
            made.depth = link.window->depth;
            made.slots.assign(link.members.size(), std::vector<Slot>(made.depth));
            made.left.assign(link.members.size(), 0);
            made.leaves.resize(link.members.size());
        }
        return made;
    }

    /// True if all others have left the rounds below `rounds`. This rank then learns everything that they
    /// knew at that time.
    bool all_left(const Step& step, std::size_t rounds) {
        Board& all = board(step);
        const std::size_t me = std::size_t(own_place(step));
        for (std::size_t other = 0; other < all.left.size(); ++other)
            if (other != me && all.left[other] < rounds) return false;
        for (std::size_t other = 0; other < all.left.size() && exposures_.asked() && rounds > 0; ++other) {
            if (other == me) continue;
            const auto& leaves = all.leaves[other];
            exposures_.learn(rank_, std::find_if(leaves.begin(), leaves.end(), [&](const auto& one) {
                                        return one.first >= rounds;
                                    })->second);
        }
        return true;
    }

    /// The own slot of a round once it may be filled; `nullptr`: not yet.
    Slot* free_slot(const Step& step) {
        Board& all = board(step);
        const std::size_t me = std::size_t(own_place(step));
        Slot& slot = all.slots[me][step.round % all.depth];
        if (all.left[me] > step.round) fail("puts into a round that it has left");
        if (slot.rounds > step.round) fail("puts twice into a slot");
        const std::size_t before = step.round < all.depth ? 0 : step.round - all.depth + 1;
        if (all.left[me] < before || !all_left(step, before)) return nullptr;
        touch(step.what, false);
        return &slot;
    }

    bool put(const Step& step) {
        if (step.what.count > link_of(step).window->elements(schedule_.element_size))
            fail("puts more than a slot holds");
        Slot* const slot = free_slot(step);
        if (slot == nullptr) return false;
        const auto source = elements(step.what);
        *slot = {.rounds = step.round + 1,
                 .elements = {source, source + std::ptrdiff_t(step.what.count)},
                 .known = exposures_.known_to(rank_)};
        return true;
    }

    bool expose(const Step& step) {
        Slot* const slot = free_slot(step);
        if (slot == nullptr) return false;
        *slot = {.rounds = step.round + 1,
                 .exposed = exposures_.add(rank_, step.what),
                 .offered = step.kind == Step::Kind::offer,
                 .known = exposures_.known_to(rank_)};
        return true;
    }

    /// The slot that `owner` filled in the round; `nullptr`: not yet.
    const Slot* put_by(std::size_t owner, const Step& step) {
        Board& all = board(step);
        const Slot& slot = all.slots[owner][step.round % all.depth];
        if (all.left[std::size_t(own_place(step))] > step.round) fail("reads in a round that it has left");
        if (slot.rounds > step.round + 1) fail("reads a slot that was filled anew");
        return slot.rounds < step.round + 1 ? nullptr : &slot;
    }

    /// The elements of the slot that a step reads.
    const Symbol* read(const Slot& slot, const Step& step) {
        if (slot.offered) fail("reads what is offered to be written");
        if (slot.exposed) return work_on(slot, step, false);
        const std::size_t from = step.from.offset, count = step.what.count;
        exposures_.learn(rank_, slot.known);
        if (from + count > slot.elements.size()) fail("reads beyond what was put");
        static const Symbol nothing{};
        return count == 0 ? &nothing : slot.elements.data() + from;
    }

    Symbol* work_on(const Slot& slot, const Step& step, bool writes) {
        const Exposures::Exposed& exposed = exposures_[*slot.exposed];
        exposures_.learn(rank_, slot.known);
        if (step.from.offset + step.what.count > exposed.what.count) fail("reaches beyond what was exposed");
        const Slice part = exposed.what.part(step.from.offset, step.what.count);
        access(exposed.owner, part, writes, writes ? "writes" : "reads");
        static Symbol nothing{};
        return part.empty() ? &nothing : &*this->slot(exposed.owner, part);
    }

    bool give(const Step& step) {
        const Slot* const slot = put_by(std::size_t(step.peer), step);
        if (slot == nullptr) return false;
        if (!slot->offered) fail("gives to a rank that offers nothing");
        touch(step.what, false);
        std::copy_n(elements(step.what), step.what.count, work_on(*slot, step, true));
        return true;
    }

    bool get(const Step& step) {
        const Slot* const slot = put_by(std::size_t(step.peer), step);
        if (slot == nullptr) return false;
        const Symbol* const source = read(*slot, step);
        touch(step.what, true);
        std::copy_n(source, step.what.count, elements(step.what));
        return true;
    }

    bool fold(const Step& step) {
        const int me = own_place(step);
        for (int rank = 0; rank < step.peer; ++rank) {
            if (rank == me) continue;
            const Slot* const slot = put_by(std::size_t(rank), step);
            if (slot == nullptr) return false;
            if (slot->exposed) fail("combines what is exposed");
        }
        touch(step.what, false);
        std::vector<Symbol> combined;
        for (int rank = 0; rank < step.peer; ++rank) {
            const Symbol* const put = rank == me ? nullptr : read(*put_by(std::size_t(rank), step), step);
            const auto own = elements(step.what);
            for (std::size_t i = 0; i < step.what.count; ++i) {
                const Symbol& with = rank == me ? own[std::ptrdiff_t(i)] : put[i];
                if (with.value == Expressions::undefined) fail("combines a value that no step has defined");
                if (rank == 0) {
                    combined.push_back(with);
                    continue;
                }
                if (combined[i].element != with.element) fail("combines different elements");
                combined[i].value = expressions_.combine(combined[i].value, with.value);
            }
        }
        touch(step.what, true);
        std::copy(combined.begin(), combined.end(), elements(step.what));
        return true;
    }

    /// Fails if the slice is outside its buffer or in use by a communication under way.
    void touch(const Slice& slice, bool writes) {
        const std::size_t size = memory_[std::size_t(rank_)][std::size_t(slice.buffer)].size();
        if (slice.offset > size || slice.count > size - slice.offset) fail("reaches outside its buffer");
        for (const Message& m : here().pending) {
            const Step& other = program().strands[std::size_t(m.strand)][m.step];
            if ((writes || other.kind == Step::Kind::receive) && !slice.empty() && slice.overlaps(other.what))
                fail("touches elements of a communication under way");
        }
        if (exposures_.overlap(rank_, slice)) access(rank_, slice, writes, writes ? "writes" : "reads");
    }

    const Slice& slice_of(const Message& m) const {
        return schedule_.ranks[std::size_t(m.rank)].strands[std::size_t(m.strand)][m.step].what;
    }
    std::vector<Symbol>::iterator slot(int rank, const Slice& slice) {
        return memory_[std::size_t(rank)][std::size_t(slice.buffer)].begin() + std::ptrdiff_t(slice.offset);
    }
    std::vector<Symbol>::iterator elements(const Slice& slice) { return slot(rank_, slice); }

    const Schedule& schedule_;
    Expressions& expressions_;
    std::vector<SymbolicMemory>& memory_;
    Ahead ahead_;
    std::vector<RankState> ranks_;
    bool barrier_;
    Exposures exposures_;
    std::map<std::tuple<int, int, std::uint64_t, int>, std::deque<Message>> sends_,
        receives_;                                           // unmatched, by (from, to, channel, strand)
    std::map<std::pair<std::uint64_t, int>, Board> boards_;  // by channel and first member
    int rank_ = 0, strand_ = 0;
};

}  // namespace

std::optional<std::string> replay(const Schedule& schedule, Expressions& expressions,
                                  std::vector<SymbolicMemory>& memory, Ahead ahead, bool barrier) {
    try {
        Replay(schedule, expressions, memory, ahead, barrier).run();
        return std::nullopt;
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace echelon
