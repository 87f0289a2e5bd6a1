// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/message_cost.hpp"

#include <vector>

namespace echelon {

/// A message of m bytes takes alpha + m beta, and occupies both its ports all the time (Hockney 1994).
struct Hockney {
    Seconds alpha = 0;
    SecondsPerByte beta = 0;
    /// Messages shorter than this are eager: they leave without waiting for their receive.
    Bytes eager_below = 0;

    Seconds time(double bytes) const { return alpha + bytes * beta; }
    MessageCost message(Bytes bytes) const;

    friend bool operator==(const Hockney&, const Hockney&) = default;
};

/// Hockney with parameters that depend on the message's length: each piece holds from its length up to that
/// of the next piece. The time jumps at the borders, like it does if an MPI library switches its protocol.
struct PiecewiseHockney {
    struct Piece {
        Bytes from = 0;
        Hockney model = {};
        friend bool operator==(const Piece&, const Piece&) = default;
    };
    /// Ascending lengths; the first piece also holds for shorter messages.
    std::vector<Piece> pieces = {};

    /// Requires: at least one piece.
    const Hockney& at(double bytes) const;
    Seconds time(double bytes) const { return at(bytes).time(bytes); }
    MessageCost message(Bytes bytes) const { return at(double(bytes)).message(bytes); }

    friend bool operator==(const PiecewiseHockney&, const PiecewiseHockney&) = default;
};

}  // namespace echelon
