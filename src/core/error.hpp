// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace echelon {

/// What went wrong, where, and what would be right, in one sentence for the user.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace echelon
