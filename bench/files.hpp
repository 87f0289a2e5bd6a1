// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/compare.hpp"

#include <string>

namespace echelon::bench {

/// What is written: tried before hours of measuring are spent on it. Rank 0 has the files.
class Files {
public:
    Files(const Options& options, int rank);
    const std::string& problem() const { return problem_; }

    /// Without results, where no file is there: one with results stays until others take its place.
    void begin(const Comparison& compared) const;
    /// Error: something cannot be written.
    void write(const Regrets& found) const;
    void write(const Comparison& compared, bool finished) const;

private:
    const Options& options_;
    std::string problem_;
};

}  // namespace echelon::bench
