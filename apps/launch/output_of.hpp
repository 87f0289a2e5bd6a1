// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace echelon::launch {

/// Standard output of a program that runs without LD_PRELOAD in its environment; standard error is dropped.
/// No value: it does not start, or ends with an error.
std::optional<std::string> output_of(const std::vector<std::string>& command);

}  // namespace echelon::launch
