// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/readable.hpp"

#include "core/units.hpp"

namespace echelon {

std::string readable(const Network& network) {
    constexpr double long_one = 1 << 20;
    const Seconds more = message_time(network, 2 * long_one) - message_time(network, long_one);
    const BytesPerSecond rate = more > 0 ? long_one / more : unlimited;
    std::string text = readable(message_time(network, 0)) + ", " +
                       (rate == unlimited ? "bytes cost nothing" : readable_rate(rate));
    if (const auto* const protocol = std::get_if<Protocol>(&network))
        text += "; a send takes the processor " + readable(protocol->send_overhead.at(0)) + ", a receive " +
                readable(protocol->receive_overhead.at(0)) + "; senders wait from " +
                format_bytes(protocol->rendezvous_from) + " on";
    return text;
}

}  // namespace echelon
