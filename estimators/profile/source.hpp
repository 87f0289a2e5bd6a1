// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace echelon {

/// Who chose a recipe: the one list of words for it, in the API, summaries, traces, `explain` and results.
enum class Source : std::uint8_t {
    /// Nothing is known of the machine, or nothing could gain.
    built_in,
    /// The environment or a configuration file.
    setting,
    /// An info key of the communicator.
    key,
    /// A call of the tuning API.
    hint,
    /// What the user wrote into the profile.
    profile_rule,
    /// What trials of earlier runs added to the profile.
    profile_decision,
    /// The model, corrected by what the profile's calibration measured.
    model,
    /// A winner among running calls.
    trial,
    /// What was asked for cannot serve: native.
    refused,
    /// Nobody yet: such a call waits for nobody, and what the ranks settle together comes later.
    undecided
};
std::string_view name(Source source);

}  // namespace echelon
