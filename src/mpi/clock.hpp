// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon {

/// Seconds since a fixed instant, monotonic. Processes of one machine and simulated ranks read one clock.
double now();

/// Identifies this rank's clock: equal ids mean the same clock (one simulation, or one running kernel).
double clock_id();

/// Returns when now() has reached `instant`. With `yielding` the rank gives its processor away while it
/// waits.
void wait_until(double instant, bool yielding);

/// Initial time, in seconds, between the announcement of a common start and its instant.
extern const double first_notice;

}  // namespace echelon
