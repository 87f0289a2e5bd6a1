// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace echelon {

/// A command in the syntax of a shell: words that need it are in quotation marks.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace echelon
