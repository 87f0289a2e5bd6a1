// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/packed_schedule.hpp"

#include "core/error.hpp"
#include "estimators/simulator/time_limit.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace echelon {
namespace {

/// Mixes the bits of a key, because the standard library's hash of an integer is the integer.
struct Mix {
    std::size_t operator()(std::uint64_t key) const {
        key = (key ^ (key >> 32)) * 0x9E3779B97F4A7C15u;
        return std::size_t(key ^ (key >> 29));
    }
};

class Packer {
public:
    Packer(int p, Bytes element_size)
        : element_size_(element_size), later_(std::size_t(p)), with_(std::size_t(p)) {
        packed_.p = p;
    }

    /// Adds the next rank. Requires: ranks are added in order.
    void add(const Program& program) {
        const Id first = Id(packed_.strands.size());
        packed_.first_strand.push_back(first);
        meet_earlier_ranks();
        for (Id s = 0; s < Id(program.strands.size()); ++s) {
            const std::size_t begin = packed_.ops.size();
            packed_.strands.push_back({rank_, begin, begin});
            add_strand(program, s, first);
            packed_.strands.back().end = packed_.ops.size();
        }
        ++rank_;
    }

    std::size_t messages() const { return packed_.messages.size(); }

    PackedSchedule finish() {
        packed_.first_strand.push_back(Id(packed_.strands.size()));
        for (Id id = 0; id < Id(ends_.size()); ++id)
            if (const Ends& ends = ends_[id]; ends.open) {
                const std::string from = "rank " + std::to_string(packed_.messages[id].from);
                const std::string to = "rank " + std::to_string(packed_.messages[id].to);
                throw Error(ends.sends ? from + " sends a message that " + to + " never receives"
                                       : to + " waits for a message that " + from + " never sends");
            }
        return std::move(packed_);
    }

private:
    /// Properties by which the two ends of a message match, apart from their order, and its length; taken
    /// from the end that comes first.
    struct Ends {
        std::uint64_t channel;
        Bytes bytes;
        Id strand;
        Id next = no_id;  // in its list
        bool sends, open = true;
    };
    /// Messages in the order of their first ends.
    struct List {
        Id head = no_id, tail = no_id;
    };

    void append(List& list, Id id) {
        (list.head == no_id ? list.head : ends_[list.tail].next) = id;
        list.tail = id;
        ends_[id].next = no_id;
    }

    /// Sorts the messages that earlier ranks have begun with this rank by peer, to find each without a search
    /// through the others.
    void meet_earlier_ranks() {
        for (Id id = later_[rank_].head, next = no_id; id != no_id; id = next) {
            next = ends_[id].next;
            const auto& message = packed_.messages[id];
            append(begun(ends_[id].sends ? message.from : message.to, ends_[id].sends), id);
        }
    }

    /// The sends, or the receives, between this rank and another that have one end.
    List& begun(Id peer, bool sends) {
        With& with = with_[peer];
        if (with.rank != rank_) with = {rank_};
        return with.begun[sends ? 0 : 1];
    }

    void add_strand(const Program& program, Id strand, Id first) {
        const auto& steps = program.strands[strand];
        const std::size_t begin = packed_.ops.size();
        for (const Step& step : steps) {
            using Kind = PackedSchedule::Op::Kind;
            switch (step.kind) {
                case Step::Kind::send:
                case Step::Kind::receive: {
                    const bool sends = step.kind == Step::Kind::send;
                    const Id ordinal = Id(packed_.ops.size() - begin);
                    const Id message = add_end(program, step, strand, first + strand, ordinal);
                    if (sends) packed_.messages[message].blocking = step.blocking;
                    packed_.ops.push_back({sends ? Kind::send : Kind::receive, message});
                    break;
                }
                case Step::Kind::wait: {
                    const auto started = packed_.ops[begin + std::size_t(step.peer)];
                    const bool sends = started.kind == Kind::send;
                    packed_.ops.push_back({sends ? Kind::wait_send : Kind::wait_receive, started.argument});
                    break;
                }
                case Step::Kind::reduce:
                    packed_.ops.push_back({Kind::reduce, length(step)});
                    break;
                case Step::Kind::copy:
                    packed_.ops.push_back({Kind::copy, length(step)});
                    break;
                case Step::Kind::mark:
                    packed_.ops.push_back({Kind::mark});
                    break;
                case Step::Kind::await:
                    packed_.ops.push_back({Kind::await, Id(packed_.awaits.size())});
                    packed_.awaits.push_back({first + Id(step.peer), Id(step.what.count)});
                    break;
                case Step::Kind::put:
                    add_in_window(program, step, Kind::put);
                    break;
                case Step::Kind::get:
                    add_in_window(program, step, Kind::get);
                    break;
                case Step::Kind::fold:
                    add_in_window(program, step, Kind::fold);
                    break;
                case Step::Kind::leave:
                    add_in_window(program, step, Kind::leave);
                    break;
                case Step::Kind::expose:
                case Step::Kind::offer:
                case Step::Kind::give:
                case Step::Kind::accept:
                case Step::Kind::withdraw:
                    throw Error("what ranks expose in a window has no price");
            }
        }
    }

    void add_in_window(const Program& program, const Step& step, PackedSchedule::Op::Kind kind) {
        const Program::Link& link = program.links[step.link];
        const auto [board, is_new] =
            boards_.try_emplace({link.channel, link.members.front()}, Id(packed_.boards.size()));
        if (is_new) packed_.boards.push_back({Id(link.members.size()), link.window->depth});
        const auto place =
            std::find(link.members.begin(), link.members.end(), int(rank_)) - link.members.begin();
        packed_.ops.push_back({kind, Id(packed_.window_steps.size())});
        packed_.window_steps.push_back(
            {board->second, Id(place), Id(step.peer), step.round, step.what.count * element_size_});
    }

    /// Returns the message with this step as an end: an old one that waits for this end, or a new one.
    Id add_end(const Program& program, const Step& step, Id strand, Id strand_index, Id ordinal) {
        const bool sends = step.kind == Step::Kind::send;
        const Id peer = Id(program.peer_of(step));
        const Id from = sends ? rank_ : peer, to = sends ? peer : rank_;
        const Bytes bytes = step.what.count * element_size_;
        const std::uint64_t channel = program.links[step.link].channel;
        List& others = begun(peer, !sends);
        for (Id before = no_id, id = others.head; id != no_id; before = id, id = ends_[id].next) {
            Ends& ends = ends_[id];
            if (ends.channel != channel || ends.strand != strand) continue;
            if (ends.bytes != bytes)
                throw Error("rank " + std::to_string(from) + " sends " +
                            std::to_string(sends ? bytes : ends.bytes) + " bytes to rank " +
                            std::to_string(to) + ", which receives " +
                            std::to_string(sends ? ends.bytes : bytes));
            ends.open = false;
            (before == no_id ? others.head : ends_[before].next) = ends.next;
            if (others.tail == id) others.tail = before;
            auto& message = packed_.messages[id];
            if (sends) {
                message.sending_strand = strand_index;
                message.ordinal = ordinal;
            } else {
                message.receiving_strand = strand_index;
            }
            return id;
        }
        const Id id = Id(packed_.messages.size());
        packed_.messages.push_back({from, to, strand_index, strand_index, ordinal, length(step)});
        ends_.push_back({channel, bytes, strand, no_id, sends});
        append(peer > rank_ ? later_[peer] : begun(peer, sends), id);
        return id;
    }

    Id length(const Step& step) {
        const Bytes bytes = step.what.count * element_size_;
        const auto [at, fresh] = lengths_.try_emplace(bytes, Id(packed_.lengths.size()));
        if (fresh) packed_.lengths.push_back(bytes);
        return at->second;
    }

    Bytes element_size_;
    Id rank_ = 0;
    PackedSchedule packed_;
    struct With {
        Id rank = no_id;
        std::array<List, 2> begun = {};
    };
    std::vector<Ends> ends_;   // by message
    std::vector<List> later_;  // by rank: messages that earlier ranks have begun with it
    std::vector<With> with_;   // by rank: messages begun between it and the present rank
    std::unordered_map<std::uint64_t, Id, Mix> lengths_;
    std::map<std::pair<std::uint64_t, int>, Id> boards_;  // by channel and first member
};

}  // namespace

PackedSchedule pack(const Schedule& schedule) {
    Packer packer(schedule.size(), schedule.element_size);
    for (const Program& program : schedule.ranks) packer.add(program);
    return packer.finish();
}

PackedSchedule pack(int p, Bytes element_size, const std::function<void(Recorder&)>& body, std::size_t most) {
    constexpr int ranks_between_checks = 64;  // a check reads a clock
    Packer packer(p, element_size);
    Program program;
    for (int rank = 0; rank < p; ++rank) {
        if (rank % ranks_between_checks == 0) TimeLimit::check();
        program.strands.resize(1);
        program.strands[0].clear();
        program.scratch = 0;
        Recorder recorder(program, rank, p, element_size);
        body(recorder);
        packer.add(program);
        if (packer.messages() > most)
            throw Error("a schedule of more than " + std::to_string(most) + " messages");
    }
    return packer.finish();
}

}  // namespace echelon
