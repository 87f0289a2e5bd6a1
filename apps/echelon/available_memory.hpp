// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon::tool {

/// Bytes that this process may still take: the least of the machine's free memory, its control group's limit
/// and `ulimit -v`.
double available_memory();

}  // namespace echelon::tool
