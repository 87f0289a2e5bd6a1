// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/slice.hpp"

#include <string>
#include <vector>

namespace echelon::bench {

/// What the command line of echelon-calibrate asks for.
struct CalibrateOptions {
    std::vector<Collective> collectives;
    std::vector<Bytes> bytes;
    double seconds = 0;
    int shortlist = 0;
    std::string output, samples;
    /// A profile to add to: its samples of other numbers of ranks and its rules stay.
    std::string update;
    bool quiet = false, help = false, version = false;
};

/// Reads the command line. Throws WrongUse (bench/options.hpp).
CalibrateOptions parse_calibrate_options(int argc, const char* const* argv);
std::string calibrate_help();

}  // namespace echelon::bench
