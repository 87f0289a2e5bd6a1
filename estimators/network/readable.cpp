// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/readable.hpp"

#include "core/format.hpp"
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
    std::string text = format("%.3g us, ", 1e6 * message_time(network, 0)) +
                       (more > 0 ? format("%.4g MB/s", 1e-6 * long_one / more) : "bytes cost nothing");
    if (const auto* const protocol = std::get_if<Protocol>(&network))
        text += "; senders wait from " + format_bytes(protocol->rendezvous_from) + " on";
    return text;
}

}  // namespace echelon
