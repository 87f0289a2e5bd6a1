// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "front/errors.hpp"
#include "front/items.hpp"
#include "front/serve.hpp"

#include <algorithm>

namespace echelon {

// Checks of the arguments of collectives with blocks.

inline bool described(const UserBuffer& buffer) {
    return buffer.data == MPI_IN_PLACE || (buffer.count >= 0 && may_be_type(buffer.type));
}

template <class Count>
bool described(const UserBlocks<Count>& blocks) {
    return blocks.counts != nullptr && blocks.places != nullptr && may_be_type(blocks.type);
}

/// check_buffer() for each block.
template <class Count>
void check_blocks(const UserBlocks<Count>& blocks, int p, const char* what) {
    for (int r = 0; r < p; ++r) check_buffer({blocks.data, blocks.counts[r], blocks.type}, what);
}

/// True if all blocks together have no more bytes than allowed. They may have none.
template <class Count>
bool are_allowed(const UserBlocks<Count>& blocks, int p) {
    const Element element = element_of(blocks.type);
    return std::all_of(blocks.counts, blocks.counts + p, [&](Count count) {
        return count == 0 || element.size == 0 || moves(element.bytes(std::size_t(count)), p);
    });
}

inline void check_committed(const Items& one, const Items& other, Memory& memory) {
    for (const Items* items : {&one, &other}) check_committed(items->element, items->address, memory);
}

inline void check_room(const char* what, Bytes has, Bytes arrives) {
    if (arrives > has)
        throw WrongArgument(MPI_ERR_TRUNCATE, std::string(what) + " has room for " + std::to_string(has) +
                                                  " bytes, and " + std::to_string(arrives) + " arrive");
}

/// The state for a call in which every rank sends and receives.
template <class Call>
State* state_for_exchange(const Call& call) {
    return state_for(call, call.out.data != MPI_IN_PLACE && described(call.in) && described(call.out));
}

/// The state for a call with a root. The vector of all blocks is described at the root only.
template <class Call>
State* state_for_rooted(const Call& call) {
    State* const state = state_for(call, true);
    if (state == nullptr || !has_rank(*state, call.root)) return nullptr;
    const bool at_root = state->rank() == call.root;
    const bool own = described(call.own()) && (call.own().data != MPI_IN_PLACE || at_root);
    const bool all = !at_root || (call.all().data != MPI_IN_PLACE && described(call.all()));
    return own && all ? state : nullptr;
}

}  // namespace echelon
