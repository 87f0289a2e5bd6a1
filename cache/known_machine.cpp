// SPDX-License-Identifier: Apache-2.0
#include "cache/known_machine.hpp"

namespace echelon {

Advisor* KnownMachine::advisor() {
    if (profile_ == nullptr) return nullptr;
    if (advisor_ != nullptr) return advisor_.get();
    const bool native_parts = process_.budget().most() > 0;
    // A brief look does not know a machine so well that more would be worth its price.
    const Width width = brief_ ? Width::few : Width::best;
    advisor_ = std::make_unique<Advisor>(
        process_.deciders().of(profile_, own_.placement(true, true), native_parts, width));
    return advisor_.get();
}

}  // namespace echelon
