// SPDX-License-Identifier: Apache-2.0
#include "estimators/host.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace echelon {

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    return "unknown";
}

std::vector<std::string> network_names() {
    std::vector<std::string> names;
    for (const char* const folder : {"/sys/class/net", "/sys/class/infiniband"}) {
        std::error_code failed;
        std::filesystem::directory_iterator entry(folder, failed), end;
        for (; !failed && entry != end; entry.increment(failed)) {
            const std::string name = entry->path().filename().string();
            const auto begins = [&](const char* with) { return name.starts_with(with); };
            if (name != "lo" && !begins("veth") && !begins("docker") && !begins("br-") && !begins("virbr") &&
                !begins("tap") && !begins("tun"))
                names.push_back(name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace echelon
