// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/hockney.hpp"

#include <algorithm>

namespace echelon {

MessageCost Hockney::message(Bytes bytes) const {
    const Seconds transfer = double(bytes) * beta;
    if (bytes < eager_below) return {.start = alpha, .transfer = transfer, .drain = alpha + transfer};
    return {.start = alpha, .transfer = transfer, .circuit = true};
}

const Hockney& PiecewiseHockney::at(double bytes) const {
    const auto after =
        std::upper_bound(pieces.begin(), pieces.end(), bytes,
                         [](double value, const Piece& piece) { return value < double(piece.from); });
    return after == pieces.begin() ? after->model : (after - 1)->model;
}

}  // namespace echelon
