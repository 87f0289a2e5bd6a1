// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit.hpp"

#include "core/error.hpp"
#include "estimators/robust_regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace echelon {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One row per sample: what the coefficients are multiplied with, and the time.
template <class Sample, class Row>
Regression regress_rows(std::span<const Sample> samples, int coefficients, const Row& row) {
    MatrixXd x = MatrixXd::Zero(Index(samples.size()), coefficients);
    VectorXd y(Index(samples.size()));
    for (Index i = 0; i < y.size(); ++i) {
        const Sample& sample = samples[std::size_t(i)];
        row(sample, x.row(i));
        y[i] = sample.time;
    }
    return regress(x, y);
}

template <class Model>
Fit<Model> fit_of(const Regression& found, Model model, Model error) {
    return {.model = std::move(model),
            .error = std::move(error),
            .residual = found.residual,
            .samples = int(found.weights.size()),
            .outliers = int((found.weights.array() < 0.1).count())};
}

std::vector<MessageSample> to_one_peer(std::span<const MessageSample> samples) {
    std::vector<MessageSample> single;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(single),
                 [](const MessageSample& sample) { return sample.peers == 1; });
    return single;
}

/// Median and half the width of its 95 % confidence interval, in the normal approximation.
struct Middle {
    double value = 0, error = 0;
};
Middle middle_of(const std::vector<double>& values) {
    if (values.empty()) return {};
    const VectorXd all = Eigen::Map<const VectorXd>(values.data(), Index(values.size()));
    const double value = median(all);
    const double scale = 1.4826 * median((all.array() - value).abs().matrix());
    return {value, 1.96 * 1.2533 * scale / std::sqrt(double(values.size()))};
}

/// Sum of |prediction / time - 1|, each at most 1: what models with different numbers of pieces are compared
/// by.
template <class Sample, class Predict>
double total_deviation(std::span<const Sample> samples, const Predict& predict) {
    double sum = 0;
    for (const Sample& sample : samples) sum += std::min(std::abs(predict(sample) / sample.time - 1), 1.0);
    return sum;
}

/// The scale factors of a gap, by peers: the median over the samples of each number.
template <class Factor>
Table factors_by_peers(std::span<const MessageSample> samples, const Factor& factor) {
    std::map<int, std::vector<double>> factors;
    for (const MessageSample& sample : samples)
        if (const double f = factor(sample); std::isfinite(f))
            factors[sample.peers].push_back(std::max(f, 0.0));
    std::vector<Table::Point> points;
    for (const auto& [peers, values] : factors) points.push_back({double(peers), middle_of(values).value});
    return Table(std::move(points));
}

}  // namespace

Fit<Hockney> fit_hockney(std::span<const MessageSample> samples) {
    const auto single = to_one_peer(samples);
    const Regression found =
        regress_rows(std::span(single), 2, [](const MessageSample& s, auto x) { x << 1, double(s.bytes); });
    const auto& c = found.coefficients;
    return fit_of(found, Hockney{c[0], c[1]}, Hockney{found.errors[0], found.errors[1]});
}

Fit<Postal> fit_postal(std::span<const MessageSample> samples) {
    const Regression found = regress_rows(
        samples, 3, [](const MessageSample& s, auto x) { x << 1, s.peers, s.peers * double(s.bytes); });
    const auto &c = found.coefficients, &e = found.errors;
    return fit_of(found, Postal{c[0], c[1], c[2]}, Postal{e[0], e[1], e[2]});
}

Fit<LogGP> fit_log_gp(std::span<const MessageSample> samples, std::span<const OverheadSample> overheads) {
    const Regression found = regress_rows(samples, 3, [](const MessageSample& s, auto x) {
        x << 1, s.peers - 1, s.peers * (std::max(double(s.bytes), 1.0) - 1);
    });
    std::vector<double> spent;
    for (const OverheadSample& sample : overheads) spent.push_back((sample.send + sample.receive) / 2);
    const Middle o = middle_of(spent);
    const auto &c = found.coefficients, &e = found.errors;
    return fit_of(
        found,
        LogGP{
            .latency = std::max(c[0] - 2 * o.value, 0.0), .overhead = o.value, .gap = c[1], .per_byte = c[2]},
        LogGP{.latency = std::hypot(e[0], 2 * o.error), .overhead = o.error, .gap = e[1], .per_byte = e[2]});
}

Fit<PLogP> fit_p_log_p(std::span<const MessageSample> samples, std::span<const OverheadSample> overheads) {
    std::map<Bytes, int> column;  // of g, by length
    for (const MessageSample& sample : samples) column.emplace(sample.bytes, 0);
    int next = 1;
    for (auto& [bytes, number] : column) number = next++;
    const Regression found = regress_rows(samples, next, [&](const MessageSample& s, auto x) {
        x[0] = 1;
        x[column.at(s.bytes)] = s.peers;
    });

    std::map<Bytes, std::pair<std::vector<double>, std::vector<double>>> spent;
    for (const OverheadSample& sample : overheads) {
        spent[sample.bytes].first.push_back(sample.send);
        spent[sample.bytes].second.push_back(sample.receive);
    }
    std::vector<Table::Point> sends, send_errors, receives, receive_errors, gaps, gap_errors;
    for (const auto& [bytes, both] : spent) {
        const Middle send = middle_of(both.first), receive = middle_of(both.second);
        sends.push_back({double(bytes), send.value});
        send_errors.push_back({double(bytes), send.error});
        receives.push_back({double(bytes), receive.value});
        receive_errors.push_back({double(bytes), receive.error});
    }
    PLogP model{
        .latency = found.coefficients[0], .send_overhead = Table(sends), .receive_overhead = Table(receives)};
    for (const auto& [bytes, number] : column) {
        const double size = double(bytes);
        gaps.push_back({size, std::max({found.coefficients[number], model.o_s(size), model.o_r(size)})});
        gap_errors.push_back({size, found.errors[number]});
    }
    model.gap = Table(gaps);
    PLogP error{.latency = found.errors[0],
                .gap = Table(gap_errors),
                .send_overhead = Table(send_errors),
                .receive_overhead = Table(receive_errors)};
    return fit_of(found, std::move(model), std::move(error));
}

Fit<MaxRate> fit_max_rate(std::span<const ConcurrentSample> samples) {
    std::vector<int> numbers;
    for (const ConcurrentSample& sample : samples) numbers.push_back(sample.pairs);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());

    // Up to `limit` pairs have their own rates, more share the card: linear on either side, so all limits are
    // tried.
    Fit<MaxRate> best;
    double least = std::numeric_limits<double>::infinity();
    for (const int limit : numbers) {
        const bool shares = limit < numbers.back();
        const Regression found =
            regress_rows(samples, shares ? 3 : 2, [&](const ConcurrentSample& s, auto x) {
                x[0] = 1;
                if (s.pairs <= limit)
                    x[1] = double(s.bytes);
                else
                    x[2] = s.pairs * double(s.bytes);
            });
        const auto &c = found.coefficients, &e = found.errors;
        if (c[1] <= 0 || (shares && c[2] <= 0)) continue;
        const MaxRate model{c[0], 1 / c[1], shares ? 1 / c[2] : std::numeric_limits<double>::infinity()};
        const MaxRate error{e[0], e[1] / (c[1] * c[1]), shares ? e[2] / (c[2] * c[2]) : 0};
        // A limit more must earn its place.
        const double deviation =
            (shares ? 1 : 1 / 1.02) * total_deviation(samples, [&](const ConcurrentSample& s) {
                return model.time(double(s.bytes), s.pairs);
            });
        if (deviation < least) {
            least = deviation;
            best = fit_of(found, model, error);
        }
    }
    if (best.samples == 0) throw Error("the samples show no rate: measure messages of more bytes");
    return best;
}

Fit<Work> fit_work(std::span<const WorkSample> samples) {
    const Regression found =
        regress_rows(samples, 2, [](const WorkSample& s, auto x) { x << 1, double(s.bytes); });
    const auto &c = found.coefficients, &e = found.errors;
    return fit_of(found, Work{c[0], c[1]}, Work{e[0], e[1]});
}

Fit<CostParameters> fit_cost(std::span<const CostSample> samples, SecondsPerByte gamma) {
    std::vector<CostSample> messages;
    for (CostSample sample : samples) {
        // What is left must be positive: combining may have been faster than gamma says.
        sample.time = std::max(sample.time - sample.cost.reductions * gamma, 0.1 * sample.time);
        messages.push_back(sample);
    }
    const Regression found =
        regress_rows(std::span<const CostSample>(messages), 2,
                     [](const CostSample& s, auto x) { x << s.cost.steps, s.cost.volume; });
    const auto &c = found.coefficients, &e = found.errors;
    return fit_of(found, CostParameters{c[0], c[1], gamma}, CostParameters{e[0], e[1], 0});
}

Table gap_by_peers(const LogGP& model, std::span<const MessageSample> samples) {
    return factors_by_peers(samples, [&](const MessageSample& s) {
        const Seconds rest =
            s.time - model.time(double(s.bytes)) - (s.peers - 1) * model.tail(double(s.bytes));
        return s.peers == 1 ? 1 : rest / ((s.peers - 1) * model.gap);
    });
}

Table gap_by_peers(const PLogP& model, std::span<const MessageSample> samples) {
    return factors_by_peers(samples, [&](const MessageSample& s) {
        return (s.time - model.latency) / (s.peers * model.g(double(s.bytes)));
    });
}

Table gap_by_peers(const Postal& model, std::span<const MessageSample> samples) {
    return factors_by_peers(samples, [&](const MessageSample& s) {
        const Seconds rest = s.time - model.alpha_p - s.peers * double(s.bytes) * model.beta;
        return rest / (s.peers * model.alpha_r);
    });
}

}  // namespace echelon
