// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace echelon {

/// Time budget for decisions and for windows of new communicators: a share of the program's run time, less
/// the time already spent. Safe to use from several threads.
class Allowance {
public:
    Allowance();
    /// Sets the program's start, by now(); by default it is the construction.
    void begin(double instant) { since_ = instant; }
    /// Seconds since the program's start.
    double elapsed() const;
    /// Seconds that are left of a budget of `percent`; below 0: more are spent.
    double left(double percent = 1) const;
    /// True if `seconds` more fit into a budget of `percent`.
    bool covers(double seconds, double percent = 1) const { return seconds <= left(percent); }
    void spend(double seconds) { spent_ += seconds; }
    double spent() const { return spent_; }

private:
    std::atomic<double> since_, spent_ = 0;
};

/// False in simulations that do not charge decisions: no decision is too early there.
bool thinking_takes_time();
/// The clock of decisions, in seconds. Virtual time does not pass during a decision: a simulation may charge
/// a share of the process's CPU time, since simulated ranks run one after the other.
double clock_of_thoughts();

/// Adds its lifetime to the time that decisions have spent. A simulated rank decides in no virtual time,
/// unless the simulation charges it.
class DecisionTimer {
public:
    explicit DecisionTimer(Allowance& allowance);
    DecisionTimer(const DecisionTimer&) = delete;
    DecisionTimer& operator=(const DecisionTimer&) = delete;
    ~DecisionTimer();

private:
    Allowance& allowance_;
    double began_;
};

}  // namespace echelon
