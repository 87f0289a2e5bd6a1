// SPDX-License-Identifier: Apache-2.0
#include "settings/run_name.hpp"

#include "core/error.hpp"

#include <unistd.h>
#include <array>
#include <climits>
#include <cstdlib>

namespace echelon {
namespace {

/// Calls `plain` with each ordinary character of a pattern, and `sign` with each character after a percent
/// sign.
template <class Plain, class Sign>
void read(std::string_view pattern, const Plain& plain, const Sign& sign) {
    for (std::size_t i = 0; i < pattern.size(); ++i)
        if (pattern[i] != '%')
            plain(pattern[i]);
        else
            sign(++i < pattern.size() ? pattern[i] : '\0');
}

}  // namespace

std::string run_name(std::string_view pattern, int rank) {
    std::string made;
    const auto process = [] { return std::to_string(getpid()); };
    read(
        pattern, [&](char c) { made += c; },
        [&](char c) {
            if (c == 'j') made += job_number().empty() ? process() : job_number();
            if (c == 'h') made += host_name();
            if (c == 'p') made += process();
            if (c == 'r') made += std::to_string(rank);
            if (c == '%') made += '%';
        });
    return made;
}

bool names_ranks(std::string_view pattern) {
    bool found = false;
    read(
        pattern, [](char) {}, [&](char c) { found |= c == 'r'; });
    return found;
}

void check_run_name(std::string_view pattern) {
    read(
        pattern, [](char) {},
        [&](char c) {
            if (std::string_view("jhpr%").find(c) == std::string_view::npos)
                throw Error("in '" + std::string(pattern) +
                            "' a % is followed by none of j (job), h (host), p (process), r (rank), %");
        });
}

std::string job_number() {
    for (const char* const variable :
         {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "COBALT_JOBID", "JOB_ID"})
        if (const char* const text = std::getenv(variable); text != nullptr && *text != '\0') return text;
    return {};
}

std::string host_name() {
    std::array<char, HOST_NAME_MAX + 1> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace echelon
