// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace echelon {

/// Prints one line to standard error, after "echelon: ". A closed pipe there does not end the program.
void say(std::string_view sentence);

/// Prints text to standard error as it is, in the same way.
void say_lines(const std::string& text);

/// A sentence in the form that say() prints. Control characters are escaped like in C, and the middle of a
/// very long sentence is left out.
std::string one_line(std::string_view sentence);

}  // namespace echelon
