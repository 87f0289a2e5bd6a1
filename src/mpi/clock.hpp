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

/// While it lives a rank thinks. Simulated ranks do so in no virtual time, but where a simulation charges it.
class Thinking {
public:
    Thinking();
    Thinking(const Thinking&) = delete;
    Thinking& operator=(const Thinking&) = delete;
    ~Thinking();

private:
    double began_;
};

/// How long before a common start its instant is announced, to begin with.
extern const double first_notice;

}  // namespace echelon
