// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace echelon {

/// An error whose text is one sentence for the user: the fault, its place and the remedy.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace echelon
