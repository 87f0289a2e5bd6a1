// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace echelon {

/// Origin of a recipe. The API, summaries, traces, `explain` and results share this list of words.
enum class Source : std::uint8_t {
    /// Default: the machine is unknown, or no recipe can gain.
    built_in,
    /// The environment or a configuration file.
    setting,
    /// An info key of the communicator.
    key,
    /// A call of the tuning API.
    hint,
    /// A rule that the user wrote into the profile.
    profile_rule,
    /// A decision that trials of earlier runs added to the profile.
    profile_decision,
    /// The model, corrected by measurements of the profile's calibration.
    model,
    /// Shared memory, chosen in MPI_Init: its benchmark measured a gain, or ranks outnumber processors.
    startup,
    /// The winner of a trial among running calls.
    trial,
    /// The requested recipe cannot serve: native runs.
    refused,
    /// Pending decision: the call does not wait for it, and the ranks exchange the decision later.
    undecided
};
std::string_view name(Source source);

/// True if this run chose the recipe by its own measurements.
constexpr bool is_of_this_run(Source source) { return source == Source::startup || source == Source::trial; }

}  // namespace echelon
