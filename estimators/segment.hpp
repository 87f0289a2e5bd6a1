// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/predict.hpp"

namespace echelon {

/// The time of a pipeline as a function of the number n of segments: constant + n growing + shrinking / n.
/// More segments cost latency and save the time in which the first one fills the pipe.
struct PipelineTime {
    Seconds constant = 0, growing = 0, shrinking = 0;

    /// sqrt(shrinking / growing), at least 1.
    double best_segments() const;
    Seconds at(double segments) const { return constant + segments * growing + shrinking / segments; }
};

/// Taken from the row's cost formula at `near` and twice as many segments, so that a pipeline's shape is
/// written down once. Requires: a row that takes segments.
PipelineTime pipeline_time(const Algorithm& algorithm, const Problem& problem, const Hockney& network,
                           SecondsPerByte gamma, Bytes near = 4);

/// The segment in bytes with which the row is predicted to be fastest: a multiple of `element_size`, 64 bytes
/// or more, 0 for an uncut message. By formula and a look around under Hockney, for every piece of a
/// piecewise network apart, so that both sides of a protocol's limit are looked at; by a search in steps of a
/// quarter under the other models. Being off by a factor f costs (f + 1/f)/2 - 1 at most.
Bytes best_segment(const Algorithm& algorithm, Problem problem, const Network& network, SecondsPerByte gamma,
                   Bytes element_size = 1);

}  // namespace echelon
