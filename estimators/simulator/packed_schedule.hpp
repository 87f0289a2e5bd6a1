// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/program.hpp"
#include "core/recorder.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace echelon {

/// Number of a message, a strand or a rank.
using Id = std::uint32_t;
constexpr Id no_id = ~Id(0);

/// A schedule laid out for replay: every step takes eight bytes, and every send knows its receive. It depends
/// on no model: one packing serves any number of replays.
struct PackedSchedule {
    struct Op {
        enum class Kind : std::uint32_t {
            send,          // argument: message
            receive,       // message
            wait_send,     // message
            wait_receive,  // message
            reduce,        // index of `lengths`
            copy,          // index of `lengths`
            mark,
            await,  // index of `awaits`
            put,    // index of `window_steps`
            get,    // the same
            fold,   // the same
            leave   // the same
        };
        Kind kind;
        std::uint32_t argument = 0;
    };
    struct Message {
        std::uint32_t from, to;                          // ranks
        std::uint32_t sending_strand, receiving_strand;  // indices of `strands`
        std::uint32_t ordinal;                           // the send's position in its strand
        std::uint32_t length;                            // index of `lengths`
        bool blocking = false;                           // the send is one operation with its wait
    };
    struct Strand {
        std::uint32_t rank;
        std::size_t begin, end;  // of `ops`
    };
    struct Await {
        std::uint32_t strand;  // index of `strands`
        std::uint32_t marks;
    };
    /// A step of a rank in a window (core/program.hpp explains each kind).
    struct WindowStep {
        std::uint32_t board;  // index of `boards`
        std::uint32_t place;  // of the rank among the members
        std::uint32_t peer;   // get: owner of the slot; fold: the first place left out
        std::uint64_t round;
        Bytes bytes;
    };
    /// A window.
    struct Board {
        std::uint32_t members;
        std::size_t depth;
    };

    int p = 0;
    std::vector<Op> ops;
    std::vector<Strand> strands;              // rank after rank
    std::vector<std::uint32_t> first_strand;  // by rank, and one more for the end
    std::vector<Message> messages;
    std::vector<Bytes> lengths;  // of elements sent, reduced or copied
    std::vector<Await> awaits;
    std::vector<WindowStep> window_steps;
    std::vector<Board> boards;
};

/// Throws Error if a send has no receive, a receive no send, or if the two differ in length.
PackedSchedule pack(const Schedule& schedule);

/// Records `body` on p ranks and packs rank by rank, because a whole Schedule is big for large p. Throws
/// Error if there are more than `most` messages, OutOfTime if the thread's TimeLimit is over.
PackedSchedule pack(int p, Bytes element_size, const std::function<void(Recorder&)>& body,
                    std::size_t most = ~std::size_t(0));

}  // namespace echelon
