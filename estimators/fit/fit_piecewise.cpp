// SPDX-License-Identifier: Apache-2.0
// Chooses the number of lines of a piecewise fit, and where they begin.
#include "core/error.hpp"
#include "estimators/fit/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echelon {
namespace {

constexpr std::size_t lengths_per_piece = 3;

/// Fits over all runs of lengths, computed on first use.
class Runs {
public:
    explicit Runs(std::span<const MessageSample> samples) {
        for (const MessageSample& sample : samples)
            if (sample.peers == 1) samples_.push_back(sample);
        std::sort(samples_.begin(), samples_.end(),
                  [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
        for (std::size_t i = 0; i < samples_.size(); ++i)
            if (i == 0 || samples_[i].bytes != samples_[i - 1].bytes) starts_.push_back(i);
        fits_.resize(lengths() * lengths());
    }

    std::size_t lengths() const { return starts_.size(); }
    std::size_t samples() const { return samples_.size(); }
    Bytes length(std::size_t i) const { return samples_[starts_[i]].bytes; }

    struct Run {
        Fit<Hockney> fit;
        std::size_t samples = 0;
        double deviation = -1;  // sum of the samples' relative deviations, each at most 1
    };
    /// Lengths first .. end - 1.
    const Run& at(std::size_t first, std::size_t end) {
        Run& run = fits_[first * lengths() + end - 1];
        if (run.deviation >= 0) return run;
        const std::size_t from = starts_[first], to = end == lengths() ? samples_.size() : starts_[end];
        const std::span<const MessageSample> part(samples_.data() + from, to - from);
        run.fit = fit_hockney(part);
        run.samples = part.size();
        run.deviation = 0;
        for (const MessageSample& sample : part)
            run.deviation +=
                std::min(std::abs(run.fit.model.time(double(sample.bytes)) / sample.time - 1), 1.0);
        return run;
    }

private:
    std::vector<MessageSample> samples_;
    std::vector<std::size_t> starts_;  // by length: its first sample
    std::vector<Run> fits_;
};

}  // namespace

Fit<PiecewiseHockney> fit_piecewise_hockney(std::span<const MessageSample> samples, int most) {
    Runs runs(samples);
    const std::size_t n = runs.lengths();
    if (n < lengths_per_piece) throw Error("a piecewise fit needs samples of three lengths at least");

    // least[k][i]: the least deviation of lengths 0 .. i-1 in k pieces, of which the last begins at
    // from[k][i].
    constexpr double none = std::numeric_limits<double>::infinity();
    const auto pieces = std::min<std::size_t>(std::size_t(std::max(most, 1)), n / lengths_per_piece);
    std::vector least(pieces + 1, std::vector(n + 1, none));
    std::vector from(pieces + 1, std::vector<std::size_t>(n + 1, 0));
    least[0][0] = 0;
    for (std::size_t k = 1; k <= pieces; ++k)
        for (std::size_t end = k * lengths_per_piece; end <= n; ++end)
            for (std::size_t first = 0; first + lengths_per_piece <= end; ++first) {
                if (least[k - 1][first] == none) continue;
                const double deviation = least[k - 1][first] + runs.at(first, end).deviation;
                if (deviation < least[k][end]) {
                    least[k][end] = deviation;
                    from[k][end] = first;
                }
            }

    // Bayes' information criterion under Laplace's distribution: a piece costs two parameters and its
    // beginning.
    const double count = double(runs.samples());
    std::size_t chosen = 1;
    double lowest = none;
    for (std::size_t k = 1; k <= pieces; ++k) {
        const double mean = std::max(least[k][n] / count, 1e-4);
        const double criterion = 2 * count * std::log(mean) + 3 * double(k) * std::log(count);
        if (criterion < lowest) {
            lowest = criterion;
            chosen = k;
        }
    }

    Fit<PiecewiseHockney> result;
    double squares = 0;
    for (std::size_t k = chosen, end = n; k > 0; end = from[k][end], --k) {
        const std::size_t first = from[k][end];
        const auto& run = runs.at(first, end);
        const Bytes begin = first == 0 ? 0 : runs.length(first);
        result.model.pieces.insert(result.model.pieces.begin(), {begin, run.fit.model});
        squares += run.fit.residual * run.fit.residual * double(run.samples);
    }
    result.residual = std::sqrt(squares / count);
    return result;
}

}  // namespace echelon
