// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace echelon {

/// Time for decisions that no calls have paid for yet: a hundredth of the program's. Safe to use from several threads.
class Allowance {
public:
    /// The program has MPI since that instant, by now().
    void begin(double instant) { since_ = instant; }
    /// Whether enough is left for so many seconds of it.
    bool covers(double seconds) const;

private:
    friend class Thinking;

    std::atomic<double> since_ = 0, spent_ = 0;
};

/// Otherwise it is for nothing, and none is ever too early: in simulations that do not charge it.
bool thinking_takes_time();

/// While it lives a rank thinks. Simulated ranks do so in no virtual time, but where a simulation charges it.
class Thinking {
public:
    explicit Thinking(Allowance& allowance);
    Thinking(const Thinking&) = delete;
    Thinking& operator=(const Thinking&) = delete;
    ~Thinking();

private:
    Allowance& allowance_;
    double began_;
};

}  // namespace echelon
