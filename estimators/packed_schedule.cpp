// SPDX-License-Identifier: Apache-2.0
#include "estimators/packed_schedule.hpp"

#include "core/error.hpp"

#include <string>
#include <unordered_map>

namespace echelon {
namespace {

using Id = std::uint32_t;
constexpr Id none = ~Id(0);

/// What messages match by before they match by order.
struct Route {
    std::uint64_t channel;
    Id from, to, strand;
    friend bool operator==(const Route&, const Route&) = default;
};

/// Mixes the bits of a key, since the standard library's hash of an integer is the integer.
struct Mix {
    std::size_t operator()(std::uint64_t key) const {
        key = (key ^ (key >> 32)) * 0x9E3779B97F4A7C15u;
        return std::size_t(key ^ (key >> 29));
    }
    std::size_t operator()(const Route& route) const {
        return (*this)(route.channel + (*this)(std::uint64_t(route.from) << 32 | route.to) + route.strand);
    }
};

class Packer {
public:
    Packer(int p, Bytes element_size) : element_size_(element_size), burst_of_(std::size_t(p), 0) {
        packed_.p = p;
    }

    /// Ranks come in order.
    void add(const Program& program) {
        const Id first = Id(packed_.strands.size());
        packed_.first_strand.push_back(first);
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
        for (const auto& [route, queue] : queues_)
            if (queue.head != none) {
                const std::string from = "rank " + std::to_string(route.from);
                const std::string to = "rank " + std::to_string(route.to);
                throw Error(queue.sends ? from + " sends a message that " + to + " never receives"
                                        : to + " waits for a message that " + from + " never sends");
            }
        return std::move(packed_);
    }

private:
    /// The messages of a route that have one end so far: all sends or all receives.
    struct Queue {
        Id head = none, tail = none;
        bool sends = false;
    };

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
                    packed_.ops.push_back({sends ? Kind::send : Kind::receive, message});
                    if (sends) join_burst(message);
                    break;
                }
                case Step::Kind::wait: {
                    const auto started = packed_.ops[begin + std::size_t(step.peer)];
                    const bool sends = started.kind == Kind::send;
                    packed_.ops.push_back({sends ? Kind::wait_send : Kind::wait_receive, started.argument});
                    if (!sends) end_burst();
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
                case Step::Kind::get:
                case Step::Kind::fold:
                case Step::Kind::leave:
                    throw Error("what goes through a window has no price");
            }
        }
        end_burst();
    }

    /// The message whose end this step is: an old one that waits for this end, or a new one.
    Id add_end(const Program& program, const Step& step, Id strand, Id strand_index, Id ordinal) {
        const bool sends = step.kind == Step::Kind::send;
        const Id peer = Id(program.peer_of(step));
        const Id from = sends ? rank_ : peer, to = sends ? peer : rank_;
        const Bytes bytes = step.what.count * element_size_;
        Queue& queue = queues_[{program.links[step.link].channel, from, to, strand}];

        if (queue.head != none && queue.sends != sends) {
            const Id id = queue.head;
            queue.head = next_[id];
            auto& message = packed_.messages[id];
            if (bytes_[id] != bytes)
                throw Error("rank " + std::to_string(from) + " sends " +
                            std::to_string(sends ? bytes : bytes_[id]) + " bytes to rank " +
                            std::to_string(to) + ", which receives " +
                            std::to_string(sends ? bytes_[id] : bytes));
            if (sends) {
                message.sending_strand = strand_index;
                message.ordinal = ordinal;
            } else {
                message.receiving_strand = strand_index;
            }
            return id;
        }
        const Id id = Id(packed_.messages.size());
        packed_.messages.push_back({from, to, strand_index, strand_index, ordinal, 0});
        next_.push_back(none);
        bytes_.push_back(bytes);
        (queue.head == none ? queue.head : next_[queue.tail]) = id;
        queue.tail = id;
        queue.sends = sends;
        return id;
    }

    void join_burst(Id message) {
        burst_.push_back(message);
        Id& seen = burst_of_[packed_.messages[message].to];
        if (seen != burst_number_) ++burst_peers_;
        seen = burst_number_;
    }

    void end_burst() {
        for (const Id message : burst_)
            packed_.messages[message].shape = shape(bytes_[message], burst_peers_);
        burst_.clear();
        burst_peers_ = 0;
        ++burst_number_;
    }

    Id shape(Bytes bytes, int peers) {
        const auto [at, fresh] =
            shapes_.try_emplace(bytes << 22 | std::uint64_t(peers), Id(packed_.shapes.size()));
        if (fresh) packed_.shapes.push_back({bytes, peers});
        return at->second;
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
    std::unordered_map<Route, Queue, Mix> queues_;
    std::vector<Id> next_;      // by message: the next in its queue
    std::vector<Bytes> bytes_;  // by message
    std::unordered_map<std::uint64_t, Id, Mix> shapes_, lengths_;

    // Sends between two waits for receives, and the different ranks among their receivers.
    std::vector<Id> burst_;
    std::vector<Id> burst_of_;  // by receiver: the number of the last burst it was in
    Id burst_number_ = 1;
    int burst_peers_ = 0;
};

}  // namespace

PackedSchedule pack(const Schedule& schedule) {
    Packer packer(schedule.size(), schedule.element_size);
    for (const Program& program : schedule.ranks) packer.add(program);
    return packer.finish();
}

PackedSchedule pack(int p, Bytes element_size, const std::function<void(Recorder&)>& body, std::size_t most) {
    Packer packer(p, element_size);
    Program program;
    for (int rank = 0; rank < p; ++rank) {
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
