// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/slice.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// "reduce", "allreduce", ...: of all that there are.
std::vector<std::string> collective_names();
/// Error: there is none of that name, and what was perhaps meant.
Collective parse_collective(std::string_view text);

/// "12,1K,8..64": sizes, of which `..` means each twice the one before. Error: it is none, or goes down.
std::vector<Bytes> parse_size_list(std::string_view text);

}  // namespace echelon
