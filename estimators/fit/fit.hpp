// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"
#include "estimators/network/hockney.hpp"

#include <span>
#include <vector>

namespace echelon {

// Fits of parameters to measured times. All fits minimise relative deviations, are robust against outliers
// (robust_regression.hpp) and throw Error if the samples do not determine the parameters.

/// One rank sends `peers` messages of `bytes` each at once to different ranks. `time` lasts from the first
/// call to the last arrival.
struct MessageSample {
    Bytes bytes = 0;
    int peers = 1;
    Seconds time = 0;
};

/// `pairs` ranks send one message each at once, to ranks of another node or of their own node.
struct ConcurrentSample {
    Bytes bytes = 0;
    int pairs = 1;
    Seconds time = 0;
};

/// Combining or copying `bytes`.
struct WorkSample {
    Bytes bytes = 0;
    Seconds time = 0;
};

/// Result of a fit.
template <class Model>
struct Fit {
    Model model;
    /// Typical relative deviation of the samples that are not outliers.
    double residual = 0;
};

/// Requires: samples with one peer.
Fit<Hockney> fit_hockney(std::span<const MessageSample> samples);
/// Finds the fewest pieces, at most `most`, that the samples with one peer justify. Pieces begin at measured
/// lengths and hold at least three of them.
Fit<PiecewiseHockney> fit_piecewise_hockney(std::span<const MessageSample> samples, int most = 4);
/// Time per byte: the slope of a line through the samples.
SecondsPerByte fit_per_byte(std::span<const WorkSample> samples);

}  // namespace echelon
