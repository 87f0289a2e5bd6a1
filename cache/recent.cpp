// SPDX-License-Identifier: Apache-2.0
#include "cache/recent.hpp"

namespace echelon {

constinit thread_local std::array<Recent::Slot, Recent::most> Recent::slots{};
constinit std::atomic<std::uint64_t> Recent::generation_ = 1;

}  // namespace echelon
