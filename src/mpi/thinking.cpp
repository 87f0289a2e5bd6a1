// SPDX-License-Identifier: Apache-2.0
#include "mpi/thinking.hpp"

#include "mpi/clock.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <ctime>

extern "C" __attribute__((weak)) void simulated_thinking(double seconds);

namespace echelon {
namespace {

/// Virtual time stands still meanwhile; the processor's is that of all simulated ranks, one after the other.
double clock_of_thoughts() {
    if (!quirks::simulated) return now();
    return simulated_thinking == nullptr ? 0 : double(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

bool Allowance::is_left() const {
    constexpr double share = 0.01;
    return spent_ <= share * (now() - since_);
}

void Allowance::spend(double seconds) {
    spent_ = spent_ + seconds;
    longest_ = std::max<double>(longest_, seconds);
}

Thinking::Thinking(Allowance& allowance) : allowance_(allowance), began_(clock_of_thoughts()) {}

Thinking::~Thinking() {
    const double took = clock_of_thoughts() - began_;
    if (simulated_thinking != nullptr) simulated_thinking(took);
    allowance_.spend(took);
}

}  // namespace echelon
