// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace echelon {

/// A command as a shell takes it: words that need it are in quotation marks.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace echelon
