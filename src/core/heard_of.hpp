// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/program.hpp"

#include <string>

namespace echelon {

/// Whether a schedule of one strand is a barrier: no rank ends before it has heard, directly or through
/// others, that every rank began. Each rank carries the set of ranks it has heard of, and messages join the
/// sets. Returns who is missing where, or nothing.
std::string unheard(const Schedule& schedule);

}  // namespace echelon
