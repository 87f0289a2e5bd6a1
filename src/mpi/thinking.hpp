// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace echelon {

/// Time for decisions that no calls have paid for yet: a hundredth of the program's, less all that was thought. Safe to use from several threads.
class Allowance {
public:
    Allowance();
    /// The program began then, by now(), where it is known to be longer ago than the first call.
    void begin(double instant) { since_ = instant; }
    /// Whether enough is left for so many seconds of it, if only that part of all may be spent.
    bool covers(double seconds, double part = 1) const;

private:
    friend class Thinking;

    std::atomic<double> since_, spent_ = 0;
};

/// Not in simulations that do not charge it: no decision is too early there.
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
