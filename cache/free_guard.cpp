// SPDX-License-Identifier: Apache-2.0
#include "cache/free_guard.hpp"

namespace echelon {

thread_local const FreeGuard* FreeGuard::innermost = nullptr;

}  // namespace echelon
