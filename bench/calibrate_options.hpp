// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/progress.hpp"
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
    /// A file, or a folder of profiles.
    std::string output, samples;
    /// To the user's folder of profiles.
    bool install = false;
    /// A profile to add to: its samples of other numbers of ranks and its rules stay.
    std::string update;
    /// Goes on with the profile at `output` where it stopped.
    bool go_on = false;
    /// Measures ranks that wait for each other's processors, too.
    bool crowded = false;
    Progress progress = Progress::lines;
    bool quiet = false, help = false, version = false;
};

/// Reads the command line, alike for any number of ranks. Throws WrongUse (bench/options.hpp).
CalibrateOptions parse_calibrate_options(int argc, const char* const* argv, int p);
std::string calibrate_help();

}  // namespace echelon::bench
