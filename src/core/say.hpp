// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace echelon {

/// One line to standard error, "echelon: " before it.
void say(std::string_view sentence);

/// A sentence as say() writes it. What it quotes may be anything: control characters are written as in C, and of
/// a sentence that nobody would read to its end the middle is left out.
std::string one_line(std::string_view sentence);

}  // namespace echelon
