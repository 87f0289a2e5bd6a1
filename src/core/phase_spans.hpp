// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echelon {

/// What a phase of a recipe is of one rank's program. It stands beside the program: nothing runs, costs or proves
/// differently by it.
struct PhaseSpan {
    /// An index of PhaseSpans::names.
    std::uint32_t name;
    int rank;
    /// Its group: an index of the program's links.
    std::uint16_t link;
    /// Phases that enclose it.
    std::uint16_t depth;
    std::size_t strand;
    /// Steps of the strand; `end` is the first that is none of them.
    std::size_t begin, end;
    Bytes bytes;
};

/// The phases of a schedule, rank after rank, those that are enclosed first.
struct PhaseSpans {
    struct Name {
        /// "reduce chain".
        std::string phase;
        /// "chain(seg=32K)".
        std::string recipe;

        friend bool operator==(const Name&, const Name&) = default;
    };
    /// By their first appearance.
    std::vector<Name> names = {};
    std::vector<PhaseSpan> spans = {};
};

}  // namespace echelon
