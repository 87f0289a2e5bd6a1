// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon {

/// Seconds since some instant: monotonic and, on one machine and between simulated ranks, the same for all.
double now();

/// Equal where ranks are sure to read the same clock: in one simulation, and under one running kernel.
double clock_id();

/// Returns when now() has reached `instant`. With `yielding` the processor is given away meanwhile, for ranks
/// that share it.
void wait_until(double instant, bool yielding);

/// How long before a common start its instant is announced, to begin with.
extern const double first_notice;

}  // namespace echelon
