// SPDX-License-Identifier: Apache-2.0
#include "mpi/fingerprint.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace echelon {
namespace {

/// Network devices of the machine but those that come and go with containers and virtual machines.
std::vector<std::string> networks() {
#ifdef ECHELON_SMPI
    return {"simulated"};
#else
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
#endif
}

}  // namespace

std::string mpi_library() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> text{};
    int length = 0;
    PMPI_Get_library_version(text.data(), &length);
    std::string all(text.data(), std::size_t(length));
    all = all.substr(0, all.find('\n'));
    std::replace(all.begin(), all.end(), '\t', ' ');
    return all;
}

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    return "unknown";
}

Fingerprint fingerprint_here() {
    return {.mpi = mpi_library(), .processor = processor_name(), .networks = networks()};
}

}  // namespace echelon
