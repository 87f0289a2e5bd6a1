// SPDX-License-Identifier: Apache-2.0
#include "estimators/segment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echelon {
namespace {

constexpr Bytes shortest_segment = 64;

/// The shortest segment of whole elements that cuts the message into at most so many; 0 if it stays whole.
Bytes segment_for(double segments, Bytes bytes, Bytes element_size) {
    const Bytes least = std::max(Bytes(std::ceil(double(bytes) / segments)), shortest_segment);
    const Bytes segment = (least + element_size - 1) / element_size * element_size;
    return segment >= bytes ? 0 : segment;
}

/// The fastest of the segments that it is shown.
class Best {
public:
    Best(const Algorithm& algorithm, const Problem& problem, const Network& network, SecondsPerByte gamma)
        : algorithm_(algorithm), problem_(problem), network_(network), gamma_(gamma) {}

    /// Whether it is faster than the best so far.
    bool consider(Bytes segment) {
        problem_.segment = segment;
        const Seconds time = predict(algorithm_, problem_, network_, gamma_);
        if (time >= least_) return false;
        least_ = time;
        segment_ = segment;
        return true;
    }
    Bytes segment() const { return segment_; }

private:
    const Algorithm& algorithm_;
    Problem problem_;
    const Network& network_;
    SecondsPerByte gamma_;
    Seconds least_ = std::numeric_limits<double>::infinity();
    Bytes segment_ = 0;
};

}  // namespace

double PipelineTime::best_segments() const {
    if (growing <= 0) return std::numeric_limits<double>::infinity();
    return std::max(1.0, std::sqrt(std::max(shrinking, 0.0) / growing));
}

PipelineTime pipeline_time(const Algorithm& algorithm, const Problem& problem, const Hockney& network,
                           SecondsPerByte gamma, Bytes near) {
    const double n = double(near);
    const auto at = [&](Bytes segments) {
        Problem cut = problem;
        cut.bytes = (std::max<Bytes>(problem.bytes, 1) + 4 * near - 1) / (4 * near) * (4 * near);
        cut.segment = cut.bytes / segments;
        return time(algorithm.cost(cut), network.alpha, network.beta, gamma);
    };
    // Three times for three unknowns.
    const Seconds first = at(near), doubled = at(2 * near) - first,
                  redoubled = at(4 * near) - first - doubled;
    const Seconds shrinking = n * (redoubled - 2 * doubled) * 4 / 3;
    const Seconds growing = doubled / n + shrinking / (2 * n * n);
    return {first - n * growing - shrinking / n, growing, shrinking};
}

Bytes best_segment(const Algorithm& algorithm, Problem problem, const Network& network, SecondsPerByte gamma,
                   Bytes element_size) {
    if (!algorithm.takes_segment || problem.p < 2) return 0;
    const double bytes = double(problem.bytes);
    Best best(algorithm, problem, network, gamma);
    best.consider(0);
    const auto cut_into = [&](double segments) {
        return segments >= 2 && best.consider(segment_for(std::floor(segments), problem.bytes, element_size));
    };
    const auto look_around = [&](double segments) {
        cut_into(segments);
        cut_into(segments + 1);
        for (const double step : {1.5, 1.15, 1.04})
            while (cut_into(segments * step) || cut_into(segments / step))
                segments = double(problem.bytes) / double(best.segment());
    };
    // The shape of the pipe may depend on the number of segments; where it does, twice is enough.
    const auto by_formula = [&](const Hockney& model) {
        double segments = 4;
        for (int i = 0; i < 2; ++i)
            segments =
                std::clamp(pipeline_time(algorithm, problem, model, gamma, Bytes(segments)).best_segments(),
                           1.0, std::max(1.0, bytes / double(shortest_segment)));
        return segments;
    };
    if (const auto* hockney = std::get_if<Hockney>(&network)) {
        look_around(by_formula(*hockney));
        // Where blocks are cut (segmented_ring), a few segments of the vector leave them whole: no formula
        // sees the pipe.
        for (double segments = 2; segments * double(shortest_segment) <= bytes; segments *= 2)
            if (cut_into(segments)) look_around(segments);
    } else if (const auto* piecewise = std::get_if<PiecewiseHockney>(&network)) {
        for (std::size_t i = 0; i < piecewise->pieces.size(); ++i) {
            const auto& piece = piecewise->pieces[i];
            const bool last = i + 1 == piecewise->pieces.size();
            const double shortest = std::max(double(piece.from), 1.0);
            const double longest = last ? bytes : double(piecewise->pieces[i + 1].from) - 1;
            if (shortest > bytes) continue;
            const double segment = bytes / by_formula(piece.model);
            look_around(bytes / std::clamp(segment, shortest, std::max(shortest, longest)));
        }
    } else {
        for (double segments = 2; segments * double(shortest_segment) <= bytes; segments *= 1.25)
            cut_into(segments);
    }
    return best.segment();
}

}  // namespace echelon
