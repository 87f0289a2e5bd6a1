// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/slice.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// The names of all collectives: "reduce", "allreduce", ...
std::vector<std::string> collective_names();
/// Error: there is no collective of that name; the sentence suggests a near one.
Collective parse_collective(std::string_view text);

/// "12,1K,8..64": sizes; `..` doubles from the first size up to the last. Error: no size, or a descending
/// range; the sentence shows the wrong part and `expected`, a right form.
std::vector<Bytes> parse_size_list(std::string_view text,
                                   const std::string& expected = "sizes such as 8,1K,64K..4M");

}  // namespace echelon
