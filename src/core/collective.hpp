// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace echelon {

enum class Collective : std::uint8_t {
    reduce,
    allreduce,
    bcast,
    barrier,
    reduce_scatter,
    allgather,
    gather,
    scatter,
    alltoall,
    scan,
    exscan
};

inline constexpr std::array all_collectives{
    Collective::reduce,         Collective::allreduce, Collective::bcast,  Collective::barrier,
    Collective::reduce_scatter, Collective::allgather, Collective::gather, Collective::scatter,
    Collective::alltoall,       Collective::scan,      Collective::exscan};

constexpr std::string_view name(Collective collective) {
    constexpr std::array<std::string_view, all_collectives.size()> names{
        "reduce", "allreduce", "bcast",    "barrier", "reduce_scatter", "allgather",
        "gather", "scatter",   "alltoall", "scan",    "exscan"};
    return names[static_cast<std::size_t>(collective)];
}

constexpr std::optional<Collective> collective_named(std::string_view text) {
    for (const Collective collective : all_collectives)
        if (name(collective) == text) return collective;
    return std::nullopt;
}

/// True if the collective combines operands.
constexpr bool reduces(Collective c) {
    return c == Collective::reduce || c == Collective::allreduce || c == Collective::reduce_scatter ||
           c == Collective::scan || c == Collective::exscan;
}

/// True if every rank has a block of the vector.
constexpr bool in_blocks(Collective c) {
    return c == Collective::reduce_scatter || c == Collective::allgather || c == Collective::gather ||
           c == Collective::scatter || c == Collective::alltoall;
}

/// Dependencies between the ranks: a rank cannot leave before the ranks that it waits for have entered. A
/// call that moves no data need not wait.
enum class Pattern : std::uint8_t {
    to_all,     ///< each rank waits for all
    from_root,  ///< each waits for the root
    to_root,    ///< the root waits for all
    prefix      ///< each waits for the ranks before it
};

constexpr Pattern pattern(Collective c) {
    switch (c) {
        case Collective::bcast:
        case Collective::scatter:
            return Pattern::from_root;
        case Collective::reduce:
        case Collective::gather:
            return Pattern::to_root;
        case Collective::scan:
        case Collective::exscan:
            return Pattern::prefix;
        case Collective::allreduce:
        case Collective::barrier:
        case Collective::reduce_scatter:
        case Collective::allgather:
        case Collective::alltoall:
            return Pattern::to_all;
    }
    return Pattern::to_all;
}

/// True if rank r gets the combination of the ranks up to it, or of the ranks before it.
constexpr bool is_scan(Collective c) { return pattern(c) == Pattern::prefix; }

/// True if the collective has a form with counts (gatherv) in which a rank may know only its own blocks.
constexpr bool has_own_blocks(Collective c) {
    return c == Collective::gather || c == Collective::scatter || c == Collective::alltoall;
}

/// True if one rank is the root.
constexpr bool rooted(Collective c) {
    return pattern(c) == Pattern::from_root || pattern(c) == Pattern::to_root;
}

}  // namespace echelon
