// SPDX-License-Identifier: Apache-2.0
#include "mpi/decision_time.hpp"

#include "mpi/clock.hpp"
#include "mpi/quirks.hpp"

#include <ctime>

extern "C" __attribute__((weak)) double simulated_thinking(double seconds);  // bench/platforms/gamma.c

namespace echelon {
namespace {

/// Seconds of virtual time for each second of a simulated rank's decisions.
double factor() { return simulated_thinking == nullptr ? 0 : simulated_thinking(0); }

}  // namespace

double clock_of_thoughts() {
    return quirks::simulated ? factor() * double(std::clock()) / CLOCKS_PER_SEC : now();
}

bool thinking_takes_time() { return !quirks::simulated || factor() > 0; }

Allowance::Allowance() : since_(now()) {}

double Allowance::left(double percent) const { return percent / 100 * elapsed() - spent_; }

double Allowance::elapsed() const { return now() - since_; }

DecisionTimer::DecisionTimer(Allowance& allowance) : allowance_(allowance), began_(clock_of_thoughts()) {}

DecisionTimer::~DecisionTimer() {
    const double took = clock_of_thoughts() - began_;
    if (simulated_thinking != nullptr) simulated_thinking(took);
    allowance_.spend(took);
}

}  // namespace echelon
