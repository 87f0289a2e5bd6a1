// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon {

/// Requirements of a call on its reduction.
struct Operation {
    /// The operands must be combined in rank order: the operation does not commute, or the result must not
    /// depend on placement.
    bool in_order = false;
    /// The brackets do not change the result: integer sums, minimum, maximum, logical and bitwise operations.
    bool exact = true;
};

}  // namespace echelon
