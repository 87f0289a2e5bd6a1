// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/cost.hpp"
#include "estimators/hockney.hpp"
#include "estimators/logp.hpp"
#include "estimators/max_rate.hpp"
#include "estimators/postal.hpp"

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

/// How long the processor is busy with a message, on either side.
struct OverheadSample {
    Bytes bytes = 0;
    Seconds send = 0, receive = 0;
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

/// A run of an algorithm whose formula is known.
struct CostSample {
    Cost cost;
    Seconds time = 0;
};

/// What a fit returns.
template <class Model>
struct Fit {
    Model model;
    /// Half the width of the 95 % confidence interval of each parameter, in the parameter's place.
    Model error;
    /// Typical relative deviation of the samples that count.
    double residual = 0;
    int samples = 0;
    /// Samples that the fit does not believe.
    int outliers = 0;
};

/// start + m per_byte.
struct Work {
    Seconds start = 0;
    SecondsPerByte per_byte = 0;
};

/// An algorithm's own parameters: fitted to runs of it, they say more about its other runs than those of
/// point-to-point messages do (Nuriyev and Lastovetsky 2021).
struct CostParameters {
    Seconds alpha = 0;
    SecondsPerByte beta = 0, gamma = 0;

    Seconds time(const Cost& cost) const { return echelon::time(cost, alpha, beta, gamma); }
};

/// From the samples with one peer.
Fit<Hockney> fit_hockney(std::span<const MessageSample> samples);
/// The fewest pieces, at most `most`, that the samples with one peer ask for. Pieces begin at lengths that
/// were measured, and hold three of them at least.
Fit<PiecewiseHockney> fit_piecewise_hockney(std::span<const MessageSample> samples, int most = 4);
/// From samples with one and with several peers.
Fit<Postal> fit_postal(std::span<const MessageSample> samples);
Fit<LogGP> fit_log_gp(std::span<const MessageSample> samples, std::span<const OverheadSample> overheads);
/// The tables have a point for each length in the samples; their errors are tables, too.
Fit<PLogP> fit_p_log_p(std::span<const MessageSample> samples, std::span<const OverheadSample> overheads);
/// With one pair and with several. `card` is infinite where the samples show no limit.
Fit<MaxRate> fit_max_rate(std::span<const ConcurrentSample> samples);
Fit<Work> fit_work(std::span<const WorkSample> samples);
/// alpha and beta; gamma is given, since the formulas' volumes and reductions grow alike.
Fit<CostParameters> fit_cost(std::span<const CostSample> samples, SecondsPerByte gamma);

/// How the gap that was fitted (of Postal: alpha_r) has to be scaled for each number of peers in the samples.
Table gap_by_peers(const LogGP& model, std::span<const MessageSample> samples);
Table gap_by_peers(const PLogP& model, std::span<const MessageSample> samples);
Table gap_by_peers(const Postal& model, std::span<const MessageSample> samples);

}  // namespace echelon
