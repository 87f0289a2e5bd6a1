// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon::tool {

/// Bytes that this process may still take: what the machine has left, its control group and `ulimit -v`.
double available_memory();

}  // namespace echelon::tool
