// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// The one of `words` that takes the fewest letters put in, left out, replaced or swapped. Requires: there is one.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

/// "; did you mean bcast?" where one of `words` is at most a third of the letters away, else nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

/// "'bcst' is none of reduce, bcast; did you mean bcast?"
std::string is_none_of(std::string_view word, const std::vector<std::string>& words);

}  // namespace echelon
