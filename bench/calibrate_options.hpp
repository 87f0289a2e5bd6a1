// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/progress.hpp"
#include "core/collective.hpp"
#include "core/slice.hpp"

#include <string>
#include <vector>

namespace echelon::bench {

/// Options of echelon-calibrate.
struct CalibrateOptions {
    std::vector<Collective> collectives;
    std::vector<Bytes> bytes;
    double seconds = 0;
    int shortlist = 0;
    /// A file, or a folder of profiles.
    std::string output, samples;
    /// Writes to the user's folder of profiles.
    bool install = false;
    /// A profile to extend: its samples of other numbers of ranks and its rules stay.
    std::string update;
    /// Continues the profile at `output` from its last size.
    bool go_on = false;
    /// Also measures ranks that share processors.
    bool crowded = false;
    Progress progress = Progress::lines;
    bool quiet = false, help = false, version = false;
};

/// Reads the command line, independent of the number of ranks. Throws WrongUse (bench/options.hpp).
CalibrateOptions parse_calibrate_options(int argc, const char* const* argv, int p);
std::string calibrate_help();

}  // namespace echelon::bench
