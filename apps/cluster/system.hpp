// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

namespace echelon::cluster {

/// Throws the error of the last system call; `what` names the attempt.
[[noreturn]] inline void refused(const std::string& what) {
    throw std::runtime_error(what + ": " + std::generic_category().message(errno));
}

/// The result of a system call, or an exception.
template <typename Result>
Result must(Result result, const std::string& what) {
    if (result < 0) refused(what);
    return result;
}

}  // namespace echelon::cluster
