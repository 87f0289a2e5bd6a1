// SPDX-License-Identifier: Apache-2.0
#include "mpi/thinking.hpp"

#include "mpi/clock.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <ctime>

extern "C" __attribute__((weak)) void simulated_thinking(double seconds);

namespace echelon {
namespace {

bool costs_time() { return !quirks::simulated || simulated_thinking != nullptr; }

/// Virtual time stands still meanwhile; the processor's is that of all simulated ranks, one after the other.
double clock_of_thoughts() { return quirks::simulated ? double(std::clock()) / CLOCKS_PER_SEC : now(); }

}  // namespace

double Allowance::price(double seconds) const {
    return costs_time() ? std::max<double>(longest_, seconds) : 0;
}

bool Allowance::covers(double seconds) const {
    constexpr double share = 0.01;
    return spent_ + price(seconds) <= share * (now() - since_);
}

void Allowance::spend(double seconds) {
    spent_ = spent_ + seconds;
    longest_ = std::max<double>(longest_, seconds);
}

Thinking::Thinking(Allowance& allowance) : allowance_(allowance), began_(clock_of_thoughts()) {}

Thinking::~Thinking() {
    const double took = clock_of_thoughts() - began_;
    if (simulated_thinking != nullptr) simulated_thinking(took);
    if (costs_time()) allowance_.spend(took);
}

}  // namespace echelon
