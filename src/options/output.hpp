// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace echelon {

/// Flushes standard output. Returns an empty text if all output was written, else a sentence, e.g. about a
/// full disk behind a redirection.
std::string problem_of_output();

}  // namespace echelon
