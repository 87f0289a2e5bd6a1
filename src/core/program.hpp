// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"
#include "core/window.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace echelon {

/// One step of a rank.
///
///   kind      meaning                                            `peer`           `what`      `from`
///   send      starts a message                                   receiving rank   elements
///   receive   starts to receive a message                        sending rank     elements
///   wait      waits until a step of this strand has finished     that step
///   reduce    `what` = `from` (+) `what`, or the reverse order                    operand     other operand
///   copy      `what` = `from`                                                     target      source
///   mark      increments the mark of the strand
///   await     waits until the mark of strand `peer` is reached   strand           mark as count
///   put       own slot of the round = `what`                                      elements
///   get       `what` = elements of the owner's slot              owner            target      offset only
///   fold      `what` = slots of all ranks below `peer` combined  last rank + 1    target      offset only
///   leave     reads no slot of the rounds below `round`
///   expose    own slot of the round refers to elements in place                   elements
///   offer     own slot of the round refers to elements to write                   elements
///   give      elements of the owner's offer = `what`             owner            elements    offset only
///   accept    takes the elements that were offered in the round
///   withdraw  waits until all others have left the rounds below `round`
struct Step {
    enum class Kind : std::uint8_t {
        send,
        receive,
        wait,
        reduce,
        copy,
        mark,
        await,
        put,
        get,
        fold,
        leave,
        expose,
        offer,
        give,
        accept,
        withdraw
    };

    Kind kind;
    Side side = Side::before;
    /// A send that the next step waits for, made as one operation.
    bool blocking = false;
    /// The link that carries the step: an index of Program::links. Peers are ranks of that link.
    std::uint16_t link = 0;
    int peer = 0;
    Slice what = {};
    Slice from = {};
    /// Round of the link's window.
    std::size_t round = 0;

    friend bool operator==(const Step&, const Step&) = default;
};

/// The steps of one rank, in strands that run side by side; there is one strand unless phases are pipelined.
/// The steps of a strand run in order. Messages match first by sender, receiver, link and strand, then in the
/// order in which they were started.
struct Program {
    using Strand = std::vector<Step>;
    /// A set of ranks that talk to each other.
    struct Link {
        /// The members as ranks of link 0, which holds all ranks.
        std::vector<int> members;
        /// Equal on all ranks of the link; two links of a rank differ in it.
        std::uint64_t channel = 0;
        /// Number of links made of ranks of this link.
        int sub_links = 0;
        /// The shared memory of its ranks, and the number of rounds recorded.
        std::optional<WindowShape> window = {};
        std::size_t rounds = 0;
    };

    std::vector<Strand> strands = {Strand{}};
    std::vector<Link> links;
    /// Largest number of scratch elements in use at a time.
    std::size_t scratch = 0;

    int peer_of(const Step& step) const { return links[step.link].members[std::size_t(step.peer)]; }
};

/// The programs of all ranks: a collective operation as data.
struct Schedule {
    Bytes element_size = 1;
    std::vector<Program> ranks;

    int size() const { return int(ranks.size()); }
};

/// One line per step, in the form that `echelon simulate` prints: "send data[0,4) to 3". A start and a wait
/// directly after it are one line.
std::string to_string(const Program& program);
std::string to_string(const Schedule& schedule);

}  // namespace echelon
