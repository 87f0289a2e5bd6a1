// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/train.hpp"

namespace echelon {

/// Measures the machine under a communicator and trains on it, briefly on communicators of some of its ranks, too,
/// for `lessons.seconds` altogether: all that a profile holds. Keeps the profile's rules and its samples of other
/// numbers of ranks and layouts; learned decisions are forgotten. Collective; the same profile on all ranks, before
/// and after.
void calibrate(Trainer& trainer, Profile& profile, Lessons lessons);

/// Whether a communicator is to be measured briefly: nothing is known of its machine, it is large enough for
/// hierarchies, some of the calls that were tried are short, two seconds have passed since, and nobody has forbidden it. The
/// same on all ranks.
bool wants_a_look(State& state);
/// Measures messages and work on it, for 50 ms at most: then the model knows what is worth a trial. Not where
/// ranks share processors, whose times would say nothing. Collective, the same on all ranks.
void look_at_machine(State& state);

}  // namespace echelon
