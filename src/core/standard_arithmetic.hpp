// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfenv>

namespace echelon {

/// While it lives, this thread computes with the standard's rounding and without flush-to-zero, whatever the
/// program has set: ranks that compute from the same numbers get the same bits.
class StandardArithmetic {
public:
    StandardArithmetic() {
        std::fegetenv(&programs_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~StandardArithmetic() { std::fesetenv(&programs_); }
    StandardArithmetic(const StandardArithmetic&) = delete;
    StandardArithmetic& operator=(const StandardArithmetic&) = delete;

private:
    std::fenv_t programs_{};
};

}  // namespace echelon
