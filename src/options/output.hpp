// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace echelon {

/// Writes the rest of what was printed. Empty: all of it is written; else a sentence: a full disk behind a redirection is
/// said here at last.
std::string problem_of_output();

}  // namespace echelon
