// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/hockney.hpp"

#include <algorithm>

namespace echelon {

MessageCost Hockney::message(const MessageShape& shape) const {
    const Seconds transfer = double(shape.bytes) * beta;
    if (shape.bytes < eager_below) return {.start = alpha, .transfer = transfer, .drain = alpha + transfer};
    return {.start = alpha, .transfer = transfer, .circuit = true};
}

const Hockney& PiecewiseHockney::at(double bytes) const {
    const auto after =
        std::upper_bound(pieces.begin(), pieces.end(), bytes,
                         [](double value, const Piece& piece) { return value < double(piece.from); });
    return after == pieces.begin() ? after->model : (after - 1)->model;
}

}  // namespace echelon
