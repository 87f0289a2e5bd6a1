// SPDX-License-Identifier: Apache-2.0
#include "core/link.hpp"

namespace echelon {

void Link::exchange(int to, Slice what, int from, Slice into) {
    const Ticket receiving = start_receive(from, into);
    send(to, what);
    wait(receiving);
}

void Link::receive_reduce(int from, Slice into, Side side) {
    Scratch scratch(*this);
    const Slice received = scratch(into.count);
    receive(from, received);
    reduce(into, received, side);
}

void Link::exchange_reduce(int to, Slice what, int from, Slice into, Side side) {
    Scratch scratch(*this);
    const Slice received = scratch(into.count);
    exchange(to, what, from, received);
    reduce(into, received, side);
}

}  // namespace echelon
