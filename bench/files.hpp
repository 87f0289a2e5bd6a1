// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/compare.hpp"

#include <string>

namespace echelon::bench {

/// Output files, checked before hours of measuring. Rank 0 has the files.
class Files {
public:
    Files(const Options& options, int rank);
    const std::string& problem() const { return problem_; }

    /// Writes files without results if none exist; an older file with results stays until new results replace
    /// it.
    void begin(const Comparison& compared) const;
    /// Error: a file cannot be written.
    void write(const Regrets& found) const;
    void write(const Comparison& compared, bool finished) const;

private:
    const Options& options_;
    std::string problem_;
};

}  // namespace echelon::bench
