// SPDX-License-Identifier: Apache-2.0
#include "shm/boards.hpp"

#include <algorithm>

namespace echelon {

struct Boards::One {
    One(Processes these, Share granted, Segment with, const Place& place)
        : processes(std::move(these)),
          share(std::move(granted)),
          segment(std::move(with)),
          mark(segment.address().mark),
          board(segment.memory(), place.rank, place.size, place.shape, patience_of(place)) {}

    Patience patience_of(const Place& place) {
        Patience found = place.patience;
        found.progress = [this] { return users.back()(); };
        return found;
    }

    const Processes processes;
    const Share share;
    const Segment segment;
    const std::uint64_t mark;
    Board board;
    std::list<Progress> users;  // each of them advances all messages
    std::uint16_t next_number = 0;
};

Boards::Lease::Lease(Boards& boards, std::shared_ptr<One> one, Progress progress)
    : boards_(&boards),
      one_(std::move(one)),
      user_(one_->users.insert(one_->users.end(), std::move(progress))),
      number_(std::uint16_t(one_->next_number++ % (1u << Board::user_bits))) {}

Board& Boards::Lease::board() const { return one_->board; }

std::uint64_t Boards::Lease::mark() const { return one_->mark; }

template <class Fits>
Boards::Lease Boards::find_if(const Fits& fits, Calls calls, Progress progress) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& one) {
        return (one->users.empty() || calls == Calls::in_turn) && fits(*one);
    });
    return found == all_.end() ? Lease() : Lease(*this, *found, std::move(progress));
}

Boards::Lease Boards::find(const Processes& processes, Calls calls, Progress progress) {
    if (processes.empty()) return {};
    return find_if([&](const One& one) { return one.processes == processes; }, calls, std::move(progress));
}

Boards::Lease Boards::find(std::uint64_t mark, std::uint64_t round, Calls calls, Progress progress) {
    return find_if([&](const One& one) { return one.mark == mark && one.board.next_round == round; }, calls,
                   std::move(progress));
}

Boards::Share Boards::grant(Bytes bytes) {
    const std::scoped_lock lock(mutex_);
    while (held_ + bytes > most_)
        if (!drop_idle(0)) return {*this, 0};
    held_ += bytes;
    return {*this, bytes};
}

Boards::Lease Boards::enter(Processes processes, Share share, Segment segment, const Place& place,
                            Progress progress) {
    auto made = std::make_shared<One>(std::move(processes), std::move(share), std::move(segment), place);
    const std::scoped_lock lock(mutex_);
    all_.push_back(made);
    most_held_ = std::max<Bytes>(most_held_, held_);
    return {*this, std::move(made), std::move(progress)};
}

void Boards::forget(const Lease& lease) {
    const std::scoped_lock lock(mutex_);
    std::erase(all_, lease.one_);
}

void Boards::forget_all() {
    const std::scoped_lock lock(mutex_);
    all_.clear();
}

void Boards::give_back(const Lease& lease) {
    const std::scoped_lock lock(mutex_);
    lease.one_->users.erase(lease.user_);
    const auto found = std::find(all_.begin(), all_.end(), lease.one_);
    if (found != all_.end()) std::rotate(found, found + 1, all_.end());
    while (drop_idle(most_idle)) {
    }
}

bool Boards::drop_idle(int beyond) {
    const auto idle = [](const auto& one) { return one->users.empty(); };
    if (std::count_if(all_.begin(), all_.end(), idle) <= beyond) return false;
    all_.erase(std::find_if(all_.begin(), all_.end(), idle));
    return true;
}

}  // namespace echelon
