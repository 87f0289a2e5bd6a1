// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"
#include "core/window.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace echelon {

/// One thing that a rank does.
///
///   kind      meaning                                       peer            what         from
///   send      starts a message                              receiving rank  elements
///   receive   starts to receive                             sending rank    elements
///   wait      until a step of this strand has finished      that step
///   reduce    what = from (+) what, or the other way round                  operand      other operand
///   copy      what = from                                                   target       source
///   mark      counts one up, for other strands to see
///   await     until strand `peer` has counted so far        strand          count only
///   put       own slot of the round = what                                  elements
///   get       what = owner's slot, from an offset on        owner           target       offset only
///   fold      what = all ranks' slots below `peer` combined rank after last target       offset only
///   leave     reads no slot of a round below any more
///   expose    own slot of the round is, where they lie                      elements
///   offer     own slot of the round is to be written there                  elements
///   give      what the owner offers, from an offset on = what  owner        elements     offset only
///   accept    works again on what was offered in the round
///   withdraw  until all others have left the rounds below
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
    /// The link that carries it: an index of Program::links. Peers are ranks of that link.
    std::uint16_t link = 0;
    int peer = 0;
    Slice what = {};
    Slice from = {};
    /// Of the link's window.
    std::size_t round = 0;

    friend bool operator==(const Step&, const Step&) = default;
};

/// What one rank does: strands that run side by side (one, unless phases are pipelined), each step after
/// step. Messages match first by sender, receiver, link and strand, then in the order they were started.
struct Program {
    using Strand = std::vector<Step>;
    /// A set of ranks that talk to each other.
    struct Link {
        /// As ranks of link 0, which is all ranks.
        std::vector<int> members;
        /// The same for all ranks of the link, different for two links of a rank.
        std::uint64_t channel = 0;
        /// Links made of this one's ranks so far.
        int sub_links = 0;
        /// What its ranks share, and the rounds that were recorded.
        std::optional<WindowShape> window = {};
        std::size_t rounds = 0;
    };

    std::vector<Strand> strands = {Strand{}};
    std::vector<Link> links;
    /// Elements of scratch space in use at the highest point.
    std::size_t scratch = 0;

    int peer_of(const Step& step) const { return links[step.link].members[std::size_t(step.peer)]; }
};

/// The programs of all ranks: a collective operation as data.
struct Schedule {
    Bytes element_size = 1;
    std::vector<Program> ranks;

    int size() const { return int(ranks.size()); }
};

/// One step a line, as `echelon simulate` prints it: "send 4 elements data[0,4) to 3". A wait right after its
/// start is folded into it.
std::string to_string(const Program& program);
std::string to_string(const Schedule& schedule);

}  // namespace echelon
