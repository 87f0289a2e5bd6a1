// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// "reduce, allreduce, ...": all that there are.
std::string collective_names();

/// "12,1K,8..64": sizes, of which `..` means each twice the one before. Error: it is none, or goes down.
std::vector<Bytes> parse_size_list(std::string_view text);

/// The recipes between the semicolons that stand outside of brackets.
std::vector<std::string> split_recipes(std::string_view text);

}  // namespace echelon
