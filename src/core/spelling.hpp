// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// The word of `words` with the smallest edit distance: letters inserted, deleted, replaced or swapped with a
/// neighbour. Requires: there is one.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

/// "; did you mean bcast?" if the distance is at most a third of the letters of `word` (of 3 letters if it is
/// shorter), else "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

/// "'bcst' is none of reduce, bcast; did you mean bcast?"
std::string is_none_of(std::string_view word, const std::vector<std::string>& words);

}  // namespace echelon
