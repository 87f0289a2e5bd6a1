// SPDX-License-Identifier: Apache-2.0
#include "options/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace echelon {

std::string problem_of_output() {
    errno = 0;
    const bool streamed = bool(std::cout.flush());
    if (std::fflush(stdout) == 0 && streamed && std::ferror(stdout) == 0) return "";
    // The reason of an earlier failure is lost. The output then ends in the middle of a line.
    if (errno == 0) (void)!::write(STDOUT_FILENO, "\n", 1);
    return std::string("standard output cannot be written") +
           (errno != 0 ? std::string(": ") + std::strerror(errno) : "");
}

}  // namespace echelon
