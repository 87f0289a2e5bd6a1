// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echelon {

/// The steps of one rank's program that belong to a phase of a recipe. A span stands beside the program:
/// running, pricing and proving ignore it.
struct PhaseSpan {
    /// An index of PhaseSpans::names.
    std::uint32_t name;
    int rank;
    /// The link of its group, as an index of the program's links.
    std::uint16_t link;
    /// Number of phases that enclose it.
    std::uint16_t depth;
    std::size_t strand;
    /// Steps [begin, end) of the strand.
    std::size_t begin, end;
    Bytes bytes;
};

/// The phases of a schedule, rank after rank; enclosed phases stand before their enclosing phase.
struct PhaseSpans {
    struct Name {
        /// For example "reduce chain".
        std::string phase;
        /// For example "chain(seg=32K)".
        std::string recipe;

        friend bool operator==(const Name&, const Name&) = default;
    };
    /// In the order of their first appearance.
    std::vector<Name> names = {};
    std::vector<PhaseSpan> spans = {};
};

}  // namespace echelon
