// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/available_memory.hpp"

#include <sys/resource.h>
#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace echelon::tool {

double available_memory() {
    double least = std::numeric_limits<double>::infinity();
    std::ifstream lines("/proc/meminfo");
    for (std::string word; lines >> word;)
        if (double kilobytes = 0; word == "MemAvailable:" && lines >> kilobytes) least = 1024 * kilobytes;
    double most = 0, used = 0;
    // The word "max" is no number and means no limit.
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> most &&
        std::ifstream("/sys/fs/cgroup/memory.current") >> used)
        least = std::min(least, std::max(0.0, most - used));
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        least = std::min(least, double(limit.rlim_cur));
    return least;
}

}  // namespace echelon::tool
