// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/postal.hpp"

namespace echelon {

MessageCost Postal::message(Bytes bytes) const {
    const Seconds transfer = double(bytes) * beta;
    return {.start = alpha_r, .transfer = transfer, .latency = alpha_p, .drain = alpha_r + transfer};
}

}  // namespace echelon
