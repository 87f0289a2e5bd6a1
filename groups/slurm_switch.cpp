// SPDX-License-Identifier: Apache-2.0
#include "groups/slurm_switch.hpp"

#include <cstddef>

namespace echelon {

std::string slurm_switch(std::string_view address, std::string_view pattern, std::string_view host) {
    constexpr std::string_view one = "switch.";
    std::size_t length = 0;  // length of the switches' names, each with its dot
    for (; pattern.starts_with(one); pattern.remove_prefix(one.size())) {
        const auto dot = address.find('.', length);
        if (dot == std::string_view::npos || dot == length) return {};
        length = dot + 1;
    }
    const auto without_domain = [](std::string_view name) { return name.substr(0, name.find('.')); };
    const std::string_view node = without_domain(address.substr(length));
    if (length == 0 || pattern != "node" || node.empty() || node != without_domain(host)) return {};
    return std::string(address.substr(0, length - 1));
}

}  // namespace echelon
