// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace echelon::bench {

/// Wrong use, in one sentence: the mistake, its place and the correct form.
struct WrongUse : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace echelon::bench
