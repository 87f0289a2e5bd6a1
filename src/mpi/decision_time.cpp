// SPDX-License-Identifier: Apache-2.0
#include "mpi/decision_time.hpp"

#include "mpi/clock.hpp"
#include "mpi/quirks.hpp"

#include <ctime>

extern "C" __attribute__((weak)) int simulated_thinking(double seconds);  // not 0: it takes them

namespace echelon {
namespace {

/// Virtual time does not pass during a decision. Simulated ranks run one after the other, and the process's
/// CPU time is the deciding rank's.
double clock_of_thoughts() { return quirks::simulated ? double(std::clock()) / CLOCKS_PER_SEC : now(); }

}  // namespace

bool thinking_takes_time() {
    return !quirks::simulated || (simulated_thinking != nullptr && simulated_thinking(0) != 0);
}

Allowance::Allowance() : since_(now()) {}

bool Allowance::covers(double seconds, double percent) const {
    return spent_ + seconds <= percent / 100 * elapsed();
}

double Allowance::elapsed() const { return now() - since_; }

DecisionTimer::DecisionTimer(Allowance& allowance) : allowance_(allowance), began_(clock_of_thoughts()) {}

DecisionTimer::~DecisionTimer() {
    const double took = clock_of_thoughts() - began_;
    if (simulated_thinking != nullptr) simulated_thinking(took);
    if (thinking_takes_time()) allowance_.spend(took);
}

}  // namespace echelon
