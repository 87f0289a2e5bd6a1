// SPDX-License-Identifier: Apache-2.0
#include "core/recorder.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <numeric>

namespace echelon {

Recorder::Recorder(Program& program, int rank, int size, Bytes element_size)
    : Link(rank, size, element_size), Window({}), state_(std::make_shared<State>(State{program})) {
    Program::Link all{.members = std::vector<int>(static_cast<std::size_t>(size))};
    std::iota(all.members.begin(), all.members.end(), 0);
    program.links = {std::move(all)};
}

Recorder::Recorder(const Recorder& parent, int rank, int size, std::uint16_t link)
    : Link(rank, size, parent.element_size()), Window({}), state_(parent.state_), link_(link) {}

Recorder Recorder::sub_link(std::span<const int> members) {
    auto& links = state_->program.links;
    Program::Link& parent = links[link_];
    constexpr std::uint64_t most_sub_links = 64;
    Program::Link made{.members = {},
                       .channel = parent.channel * most_sub_links + std::uint64_t(++parent.sub_links)};
    for (const int member : members) made.members.push_back(parent.members[std::size_t(member)]);
    const auto own = std::find(members.begin(), members.end(), rank());
    if (own == members.end())
        throw Error("sub_link: rank " + std::to_string(rank()) + " is not a member of the group it asks for");
    links.push_back(std::move(made));
    return {*this, int(own - members.begin()), int(members.size()), std::uint16_t(links.size() - 1)};
}

void Recorder::on_strand(std::size_t strand) {
    Program& program = state_->program;
    if (strand >= program.strands.size()) program.strands.resize(strand + 1);
    if (strand != state_->strand) state_->height = program.scratch;
    state_->strand = strand;
}

void Recorder::mark() { add({.kind = Step::Kind::mark}); }

void Recorder::await(std::size_t strand, std::size_t marks) {
    add({.kind = Step::Kind::await, .peer = int(strand), .what = {0, marks}});
}

void Recorder::require_rank(int peer) const {
    if (peer < 0 || peer >= size())
        throw Error("rank " + std::to_string(rank()) + " talks to rank " + std::to_string(peer) + " of " +
                    std::to_string(size()));
}

void Recorder::send(int to, Slice what) {
    require_rank(to);
    wait(add({.kind = Step::Kind::send, .blocking = true, .link = link_, .peer = to, .what = what}));
}

Link::Ticket Recorder::start_send(int to, Slice what) {
    require_rank(to);
    return add({.kind = Step::Kind::send, .link = link_, .peer = to, .what = what});
}

Link::Ticket Recorder::start_receive(int from, Slice into) {
    require_rank(from);
    return add({.kind = Step::Kind::receive, .link = link_, .peer = from, .what = into});
}

void Recorder::wait(Ticket ticket) {
    if (ticket == Ticket::none) return;
    add({.kind = Step::Kind::wait, .peer = int(ticket)});
    if (!state_->kept) return;
    const Step ended = state_->program.strands[state_->strand][std::size_t(ticket)];
    if (ended.kind != Step::Kind::receive) return;
    copy({*state_->kept, ended.what.count}, ended.what);
    *state_->kept += ended.what.count;
}

void Recorder::reduce(Slice into, Slice from, Side side) {
    add({.kind = Step::Kind::reduce, .side = side, .what = into, .from = from});
}

void Recorder::copy(Slice into, Slice from) { add({.kind = Step::Kind::copy, .what = into, .from = from}); }

void Recorder::share(WindowShape shape) {
    own().window = shape;
    set_shape(shape);
}

Window* Recorder::window() { return own().window ? this : nullptr; }

void Recorder::put(std::size_t round, Slice what, std::size_t /*whole*/) {
    add({.kind = Step::Kind::put, .link = link_, .what = what, .round = own().rounds + round});
}

void Recorder::expose(std::size_t round, Slice what) {
    add({.kind = Step::Kind::expose, .link = link_, .what = what, .round = own().rounds + round});
}

void Recorder::offer(std::size_t round, Slice into) {
    add({.kind = Step::Kind::offer, .link = link_, .what = into, .round = own().rounds + round});
}

void Recorder::accept(std::size_t round) {
    add({.kind = Step::Kind::accept, .link = link_, .round = own().rounds + round});
}

void Recorder::give(std::size_t round, int owner, std::size_t offset, Slice what) {
    require_rank(owner);
    add({.kind = Step::Kind::give,
         .link = link_,
         .peer = owner,
         .what = what,
         .from = {.offset = offset},
         .round = own().rounds + round});
}

void Recorder::withdraw(std::size_t rounds) {
    add({.kind = Step::Kind::withdraw, .link = link_, .round = own().rounds + rounds});
}

void Recorder::get(std::size_t round, int owner, std::size_t offset, Slice into) {
    require_rank(owner);
    add({.kind = Step::Kind::get,
         .link = link_,
         .peer = owner,
         .what = into,
         .from = {.offset = offset},
         .round = own().rounds + round});
}

void Recorder::fold(std::size_t round, int last, std::size_t offset, Slice into) {
    if (last > 0) require_rank(last - 1);
    add({.kind = Step::Kind::fold,
         .link = link_,
         .peer = last,
         .what = into,
         .from = {.offset = offset},
         .round = own().rounds + round});
}

void Recorder::leave(std::size_t rounds) {
    add({.kind = Step::Kind::leave, .link = link_, .round = own().rounds + rounds});
}

void Recorder::end(std::size_t rounds) {
    leave(rounds);
    own().rounds += rounds;
}

Link::Ticket Recorder::add(const Step& step) {
    auto& strand = state_->program.strands[state_->strand];
    strand.push_back(step);
    return Ticket(int(strand.size()) - 1);
}

Slice Recorder::take(std::size_t count) {
    const Slice slice{state_->height, count, Buffer::scratch};
    state_->height += count;
    state_->program.scratch = std::max(state_->program.scratch, state_->height);
    return slice;
}

void Recorder::drop(std::size_t height) { state_->height = height; }

std::size_t Recorder::height() const { return state_->height; }

Schedule record(int p, Bytes element_size, const std::function<void(Recorder&)>& body) {
    Schedule schedule{.element_size = element_size, .ranks = std::vector<Program>(std::size_t(p))};
    for (int rank = 0; rank < p; ++rank) {
        Recorder recorder(schedule.ranks[std::size_t(rank)], rank, p, element_size);
        body(recorder);
    }
    return schedule;
}

}  // namespace echelon
