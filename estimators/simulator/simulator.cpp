// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/simulator.hpp"

#include "core/error.hpp"
#include "estimators/simulator/boards.hpp"
#include "estimators/simulator/ports.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace echelon {
namespace {

std::size_t nodes_of(const PackedSchedule& schedule, const Machine& machine) {
    int nodes = 0;
    for (int rank = 0; rank < schedule.p; ++rank) nodes = std::max(nodes, machine.node(rank) + 1);
    return std::size_t(nodes);
}

class Simulation {
public:
    Simulation(const PackedSchedule& schedule, const Machine& machine, Timeline* timeline)
        : schedule_(schedule),
          machine_(machine),
          timeline_(timeline),
          ports_(schedule, machine, events_, timeline),
          strands_(schedule.strands.size()),
          unfinished_(strands_.size()),
          processor_free_(std::size_t(schedule.p), 0),
          boards_(schedule, machine),
          at_work_(nodes_of(schedule, machine)) {
        if (timeline_ != nullptr) timeline_->step_ends.assign(schedule.ops.size(), never);
        for (const Bytes bytes : schedule.lengths) {
            reduce_times_.push_back(on_grid(double(bytes) * machine.gamma));
            copy_times_.push_back(on_grid(double(bytes) * machine.copy));
        }
    }

    /// Returns true if the schedule ends within the limit. Stops at the limit.
    bool run(Seconds limit) {
        for (Id s = 0; s < Id(strands_.size()); ++s) {
            strands_[s].next = schedule_.strands[s].begin;
            advance(s);
        }
        finish_instant();
        while (!events_.empty()) {
            now_ = events_.top().time;
            if (now_ > limit) return unfinished_ == 0;
            while (!events_.empty() && events_.top().time == now_) {
                const Event event = events_.top();
                events_.pop();
                if (event.kind == Event::Kind::strand)
                    advance(event.id);
                else
                    ports_.handle(event);
            }
            finish_instant();
        }
        return true;
    }

    Replayed result() const {
        Replayed replayed{std::vector<Seconds>(std::size_t(schedule_.p), 0)};
        for (Id s = 0; s < Id(strands_.size()); ++s) {
            const Id rank = schedule_.strands[s].rank;
            if (strands_[s].finish == never)
                throw Error("rank " + std::to_string(rank) + ", strand " +
                            std::to_string(s - schedule_.first_strand[rank]) + " waits for ever in step " +
                            std::to_string(strands_[s].next - schedule_.strands[s].begin) +
                            ": the schedule cannot end on this machine");
            replayed.finish[rank] = std::max(replayed.finish[rank], strands_[s].finish);
        }
        return replayed;
    }

private:
    using Op = PackedSchedule::Op;

    struct Strand {
        std::size_t next = 0;
        Id waits_for = no_id;  // a message with an unknown end
        bool waits_for_send = false;
        bool waits_for_marks = false;
        bool paid = false;  // the processor time of step `next` has been spent
        Id marks = 0;
        Seconds finish = never;
    };

    void finish_instant() {
        begin_work();
        ports_.proceed(now_);
        ports_.take_ends([&](const Ports::End& end) {
            const auto& message = schedule_.messages[end.message];
            const Id s = end.sends ? message.sending_strand : message.receiving_strand;
            if (strands_[s].waits_for != end.message || strands_[s].waits_for_send != end.sends) return;
            strands_[s].waits_for = no_id;
            events_.push({end.time, Event::Kind::strand, s});
        });
    }

    /// Runs a strand until it has to wait.
    void advance(Id s) {
        Strand& strand = strands_[s];
        const std::size_t end = schedule_.strands[s].end;
        for (; strand.next < end; ++strand.next) {
            const Op op = schedule_.ops[strand.next];
            switch (op.kind) {
                case Op::Kind::send:
                    if (!spend(s, ports_.send_overhead(op.argument), op)) return;
                    ports_.post(op.argument, true, now_);
                    break;
                case Op::Kind::receive:
                    ports_.post(op.argument, false, now_);
                    break;
                case Op::Kind::wait_send:
                    if (!reached(s, op.argument, true)) return;
                    break;
                case Op::Kind::wait_receive:
                    if (!reached(s, op.argument, false)) return;
                    if (!spend(s, ports_.cost(op.argument).receive_overhead, op)) return;
                    break;
                case Op::Kind::reduce:
                case Op::Kind::copy:
                    if (!work(s)) return;
                    break;
                case Op::Kind::mark:
                    ++strand.marks;
                    wake_neighbours(schedule_.strands[s].rank);
                    break;
                case Op::Kind::await: {
                    const auto& await = schedule_.awaits[op.argument];
                    strand.waits_for_marks = strands_[await.strand].marks < await.marks;
                    if (strand.waits_for_marks) return;
                    break;
                }
                case Op::Kind::put:
                case Op::Kind::get:
                case Op::Kind::fold:
                    if (!may_go_on(s, op) || !spend_at_once(s, op)) return;
                    tell_others(op);
                    break;
                case Op::Kind::leave:
                    tell_others(op);
                    break;
            }
            if (timeline_ != nullptr) timeline_->step_ends[strand.next] = now_;
        }
        strand.finish = now_;
        --unfinished_;
    }

    /// Returns true if the processor time of the current step has been spent. If not, the strand continues
    /// later.
    bool spend(Id s, Seconds duration, const Op& op) {
        if (duration == 0) return true;
        Strand& strand = strands_[s];
        strand.paid = !strand.paid;
        if (!strand.paid) return true;
        const Id rank = schedule_.strands[s].rank;
        Seconds& free = processor_free_[rank];
        const Seconds begin = std::max(now_, free);
        free = begin + duration;
        if (timeline_ != nullptr) draw(rank, begin, free, op);
        events_.push({free, Event::Kind::strand, s});
        return false;
    }

    /// Like spend() for work in a window, which takes longer with more ranks of the node at work. All ranks
    /// that begin now are counted first; work begun earlier keeps its duration.
    bool spend_at_once(Id s, const Op& op) {
        if (boards_.work(op, 1) == 0) return true;
        int& at_work = at_work_[node_of(s)];
        if (std::exchange(strands_[s].paid, false)) return --at_work, true;
        ++at_work;
        begin_.push_back(s);
        return false;
    }

    void begin_work() {
        for (const Id s : begin_) {
            const Op op = schedule_.ops[strands_[s].next];
            (void)spend(s, boards_.work(op, at_work_[node_of(s)]), op);
        }
        begin_.clear();
    }
    std::size_t node_of(Id s) const { return std::size_t(machine_.node(int(schedule_.strands[s].rank))); }

    Seconds work_of(const Op& op) const {
        return (op.kind == Op::Kind::reduce ? reduce_times_ : copy_times_)[op.argument];
    }

    /// Like spend() for a run of combining and copying steps. Their single ends are invisible, unless another
    /// strand of the rank waits for the processor. Afterwards `next` is the last step of the run.
    bool work(Id s) {
        Strand& strand = strands_[s];
        const Id rank = schedule_.strands[s].rank;
        const bool alone = schedule_.first_strand[rank + 1] - schedule_.first_strand[rank] == 1;
        const auto is_work = [](const Op& op) {
            return op.kind == Op::Kind::reduce || op.kind == Op::Kind::copy;
        };
        const std::size_t first = strand.next;
        while (alone && strand.next + 1 < schedule_.strands[s].end && is_work(schedule_.ops[strand.next + 1]))
            ++strand.next;
        if (std::exchange(strand.paid, false)) return true;
        Seconds& free = processor_free_[rank];
        const Seconds begin = std::max(now_, free);
        Seconds end = begin;
        for (std::size_t i = first; i <= strand.next; ++i) {
            const Seconds started = std::exchange(end, end + work_of(schedule_.ops[i]));
            if (timeline_ == nullptr) continue;
            timeline_->step_ends[i] = end;
            if (end > started) draw(rank, started, end, schedule_.ops[i]);
        }
        if (end == begin) return true;
        free = end;
        strand.paid = true;
        strand.next = first;
        events_.push({free, Event::Kind::strand, s});
        return false;
    }

    /// Returns true if the end of a message has come. If not, the strand continues when it has.
    bool reached(Id s, Id message, bool sends) {
        const Seconds end = ports_.end(message, sends);
        if (end <= now_) return true;
        if (end == never) {
            strands_[s].waits_for = message;
            strands_[s].waits_for_send = sends;
        } else {
            events_.push({end, Event::Kind::strand, s});
        }
        return false;
    }

    void wake_neighbours(Id rank) {
        for (Id s = schedule_.first_strand[rank]; s < schedule_.first_strand[rank + 1]; ++s) {
            if (!strands_[s].waits_for_marks) continue;
            const auto& await = schedule_.awaits[schedule_.ops[strands_[s].next].argument];
            if (strands_[await.strand].marks < await.marks) continue;
            strands_[s].waits_for_marks = false;
            events_.push({now_, Event::Kind::strand, s});
        }
    }

    /// Returns true if the window is ready for the step. If not, the strand continues when it is.
    bool may_go_on(Id s, const Op& op) {
        if (strands_[s].paid) return true;
        const Seconds from = boards_.ready(op);
        if (from <= now_) return true;
        if (from == never)
            boards_.wait(op, s);
        else
            events_.push({from, Event::Kind::strand, s});
        return false;
    }

    void tell_others(const Op& op) {
        const Seconds seen = boards_.done(op, now_);
        for (const Id s : boards_.waiting(op)) events_.push({seen, Event::Kind::strand, s});
    }

    void draw(Id rank, Seconds begin, Seconds end, const Op& op) {
        using Activity = Interval::Activity;
        const bool combines = op.kind == Op::Kind::reduce || op.kind == Op::Kind::fold,
                   in_window = SimulatedBoards::are_asked(op),
                   copies = op.kind == Op::Kind::copy || in_window, works = combines || copies;
        const Activity activity = combines ? Activity::reduce : copies ? Activity::copy : Activity::overhead;
        timeline_->intervals.push_back({int(rank), activity, begin, end, int(rank),
                                        in_window ? schedule_.window_steps[op.argument].bytes
                                        : works   ? schedule_.lengths[op.argument]
                                                  : ports_.bytes(op.argument),
                                        works ? no_id : op.argument});
    }

    const PackedSchedule& schedule_;
    const Machine& machine_;
    Timeline* timeline_;
    EventQueue events_;
    Ports ports_;
    std::vector<Strand> strands_;
    std::size_t unfinished_;
    std::vector<Seconds> processor_free_;  // by rank
    SimulatedBoards boards_;
    std::vector<int> at_work_;                        // by node: ranks in a window's step
    std::vector<Id> begin_;                           // strands whose window's step begins now
    std::vector<Seconds> reduce_times_, copy_times_;  // by length
    Seconds now_ = 0;
};

void check(const PackedSchedule& schedule, const Machine& machine) {
    if (!machine.nodes.empty() && int(machine.nodes.size()) != schedule.p)
        throw Error("the machine names the nodes of " + std::to_string(machine.nodes.size()) +
                    " ranks, but the schedule has " + std::to_string(schedule.p));
    const std::size_t nodes = nodes_of(schedule, machine);
    const auto check_nodes = [&](std::size_t known) {
        if (known < nodes)
            throw Error("the machine says where " + std::to_string(known) + " nodes belong, but has " +
                        std::to_string(nodes));
    };
    for (const Beyond& one : machine.beyond) check_nodes(one.of_node.size());
    if (machine.torus) check_nodes(machine.torus->of_node.size());
}

}  // namespace

Seconds Replayed::makespan() const {
    return finish.empty() ? 0 : *std::max_element(finish.begin(), finish.end());
}

Replayed simulate(const PackedSchedule& schedule, const Machine& machine, Timeline* timeline) {
    check(schedule, machine);
    Simulation simulation(schedule, machine, timeline);
    (void)simulation.run(unlimited);
    return simulation.result();
}

Seconds makespan_within(Seconds limit, const PackedSchedule& schedule, const Machine& machine) {
    check(schedule, machine);
    Simulation simulation(schedule, machine, nullptr);
    return simulation.run(limit) ? simulation.result().makespan() : unlimited;
}

Replayed simulate(const Schedule& schedule, const Machine& machine, Timeline* timeline) {
    return simulate(pack(schedule), machine, timeline);
}

}  // namespace echelon
