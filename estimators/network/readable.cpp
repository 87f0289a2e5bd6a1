// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/readable.hpp"

#include "core/format.hpp"
#include "estimators/network/machine.hpp"
#include "hier/recipe.hpp"

#include <utility>

namespace echelon {

std::string readable(Seconds time) {
    if (time == 0) return "0";
    for (const auto& [unit, name] : {std::pair{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}})
        if (time >= unit * 0.9999) return format("%.4g %s", time / unit, name);
    return format("%.4g ns", time / 1e-9);
}

std::string readable(const Network& network) {
    constexpr double long_one = 1 << 20;
    const Seconds more = message_time(network, 2 * long_one) - message_time(network, long_one);
    const BytesPerSecond rate = more > 0 ? long_one / more : unlimited;
    std::string text = readable(message_time(network, 0)) + ", " +
                       (rate == unlimited ? "bytes cost nothing"
                        : rate < 9999e6   ? format("%.4g MB/s", 1e-6 * rate)
                                          : format("%.4g GB/s", 1e-9 * rate));
    if (const auto* const protocol = std::get_if<Protocol>(&network))
        text += "; senders wait from " + format_bytes(protocol->rendezvous_from) + " on";
    return text;
}

}  // namespace echelon
