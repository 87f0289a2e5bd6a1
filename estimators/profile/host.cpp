// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/host.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

namespace echelon {

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    return "unknown";
}

bool is_made(std::string_view network) {
    constexpr std::array made{"br-", "cali", "cni", "docker", "dummy", "flannel", "gre", "ifb",
                              "sit", "tap",  "tun", "veth",   "virbr", "vnet",    "wg"};
    return network == "lo" || std::any_of(made.begin(), made.end(),
                                          [&](const char* begin) { return network.starts_with(begin); });
}

std::vector<std::string> network_names(const std::filesystem::path& classes) {
    std::vector<std::string> names;
    for (const char* const folder : {"net", "infiniband"}) {
        std::error_code failed;
        std::filesystem::directory_iterator entry(classes / folder, failed), end;
        for (; !failed && entry != end; entry.increment(failed)) {
            const std::string name = entry->path().filename().string();
            std::error_code unknown;
            if (!is_made(name) && entry->is_directory(unknown))
                names.push_back(name);  // bonding_masters is a file
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace echelon
