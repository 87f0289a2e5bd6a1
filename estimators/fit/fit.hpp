// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"
#include "estimators/network/hockney.hpp"

#include <span>
#include <vector>

namespace echelon {

// From measured times to parameters. A fit minimises relative deviations and is not moved by outliers
// (robust_regression.hpp). All of them throw Error if the samples cannot tell the parameters apart.

/// One rank sends `peers` messages of so many bytes at once to different ranks: the time from the first call
/// to the last arrival.
struct MessageSample {
    Bytes bytes = 0;
    int peers = 1;
    Seconds time = 0;
};

/// So many ranks of one node send a message each, to ranks of another one.
struct ConcurrentSample {
    Bytes bytes = 0;
    int pairs = 1;
    Seconds time = 0;
};

/// Combining (or copying) so many bytes.
struct WorkSample {
    Bytes bytes = 0;
    Seconds time = 0;
};

/// What a fit returns.
template <class Model>
struct Fit {
    Model model;
    /// Typical relative deviation of the samples that count.
    double residual = 0;
};

/// Requires: of one peer.
Fit<Hockney> fit_hockney(std::span<const MessageSample> samples);
/// The fewest pieces, at most `most`, that the samples with one peer ask for. Pieces begin at lengths that
/// were measured, and hold three of them at least.
Fit<PiecewiseHockney> fit_piecewise_hockney(std::span<const MessageSample> samples, int most = 4);
/// Of a line through the samples: what each byte takes.
SecondsPerByte fit_per_byte(std::span<const WorkSample> samples);

}  // namespace echelon
