// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/postal.hpp"

namespace echelon {
MessageCost Postal::message(const MessageShape& shape) const {
    const Seconds start = alpha_r_to(shape.peers), transfer = double(shape.bytes) * beta;
    return {.start = start, .transfer = transfer, .latency = alpha_p, .drain = start + transfer};
}

}  // namespace echelon
