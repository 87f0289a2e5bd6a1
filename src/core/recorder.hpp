// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/link.hpp"
#include "core/program.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace echelon {

/// A Link that records the program of one rank. Error: a message to a rank that does not exist.
///
/// Sub-links (groups) record into the same program. All ranks of a link must create its sub-links in the same
/// order.
class Recorder final : public Link, private Window {
public:
    /// Link 0: all ranks. `program` must outlive the recorder.
    Recorder(Program& program, int rank, int size, Bytes element_size);

    /// A link of the ranks `members` of this link. Error: the own rank is not among them.
    Recorder sub_link(std::span<const int> members);

    /// Gives the ranks of this link a window for the steps that follow.
    void share(WindowShape shape);

    /// From here on the program copies all that it receives behind element `end` of its vector. kept() is the
    /// new end.
    void keep_received(std::size_t end) { state_->kept = end; }
    /// Requires: keep_received().
    std::size_t kept() const { return *state_->kept; }

    /// This link's number in the program.
    std::size_t number() const { return link_; }

    /// The steps that follow go to strand `strand`. A strand is recorded in one piece and has scratch space
    /// of its own.
    void on_strand(std::size_t strand);
    std::size_t strand() const { return state_->strand; }
    /// Number of steps that the strand has.
    std::size_t steps() const { return state_->program.strands[state_->strand].size(); }
    /// Increments the mark of this strand.
    void mark();
    /// Waits until the mark of `strand` has reached `marks`.
    void await(std::size_t strand, std::size_t marks);

    void send(int to, Slice what) override;
    Ticket start_send(int to, Slice what) override;
    Ticket start_receive(int from, Slice into) override;
    void wait(Ticket ticket) override;
    void reduce(Slice into, Slice from, Side side) override;
    void copy(Slice into, Slice from) override;
    Window* window() override;

private:
    void put(std::size_t round, Slice what, std::size_t whole) override;
    void expose(std::size_t round, Slice what) override;
    void offer(std::size_t round, Slice into) override;
    void accept(std::size_t round) override;
    void give(std::size_t round, int owner, std::size_t offset, Slice what) override;
    void withdraw(std::size_t rounds) override;
    void get(std::size_t round, int owner, std::size_t offset, Slice into) override;
    void fold(std::size_t round, int last, std::size_t offset, Slice into) override;
    void leave(std::size_t rounds) override;
    void end(std::size_t rounds) override;
    Program::Link& own() { return state_->program.links[link_]; }

    Recorder(const Recorder& parent, int rank, int size, std::uint16_t link);
    Slice take(std::size_t count) override;
    void drop(std::size_t height) override;
    std::size_t height() const override;
    Ticket add(const Step& step);
    void require_rank(int peer) const;

    /// State that the recorders of one program share.
    struct State {
        Program& program;
        std::size_t strand = 0;
        std::size_t height = 0;
        std::optional<std::size_t> kept = {};
    };
    std::shared_ptr<State> state_;
    std::uint16_t link_ = 0;
};

/// The schedule of `body` on p ranks.
Schedule record(int p, Bytes element_size, const std::function<void(Recorder&)>& body);

}  // namespace echelon
