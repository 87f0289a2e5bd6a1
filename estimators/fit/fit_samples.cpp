// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/fit_samples.hpp"

#include "core/error.hpp"
#include "core/statistics.hpp"
#include "estimators/fit/sample_times.hpp"
#include "estimators/profile/built_in_machine.hpp"

#include <Eigen/Core>

#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace echelon {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// More samples are thinned out evenly: they cost time and add no information.
constexpr std::size_t most_samples = 64;
constexpr std::size_t fewest_samples = 8;

/// Unknowns of the fit, each a factor. `belief` holds the standard deviation of the logarithm that is
/// expected before the fit. Ratios are expected to be closer to 1 than absolute values.
// clang-format off
struct Unknown { enum Name { latency, byte, gamma, overhead, short_byte, long_latency,
                             inside_latency, inside_byte, card, memory, count }; };
constexpr std::array<double, Unknown::count> belief{
    5,    // latency between nodes, relative to the built-in one
    5,    // time per byte between nodes, relative to the built-in one
    3,    // time to combine a byte, relative to sending one
    1,    // the processor's share of the latency
    0.7,  // byte of a short message, relative to one of a long message
    0.7,  // latency of a long message, relative to a short one
    1.5,  // latency inside a node, relative to one between nodes
    1.5,  // byte inside a node, relative to one between nodes
    1,    // rate of the card, relative to one message
    1};   // rate of the memory, relative to one message
// clang-format on

/// The built-in machine scaled by these logarithms of factors; messages from `is_long` bytes on are long.
Machine machine_of(const VectorXd& logs, Bytes is_long) {
    Machine made = built_in_machine();
    made.beyond.clear();  // a table knows of no sites
    const auto factor = [&](Unknown::Name name) { return std::exp(logs[name]); };
    const auto scaled = [&](const Network& network, double latency, double byte) {
        Protocol line = std::get<Protocol>(network);
        const Hockney before = line.one_way.at(0);
        const Hockney base{before.alpha * latency, before.beta * byte};
        line.one_way.pieces = {{0, {base.alpha, base.beta * factor(Unknown::short_byte)}},
                               {is_long, {base.alpha * factor(Unknown::long_latency), base.beta}}};
        // Both processors together take no longer than the message.
        const Seconds both = line.send_overhead.at(0) + line.receive_overhead.at(0);
        const double longer = std::min(latency * factor(Unknown::overhead), base.alpha / both);
        line.send_overhead = line.send_overhead.times(longer);
        line.receive_overhead = line.receive_overhead.times(longer);
        line.rendezvous_from = is_long;
        return line;
    };
    const double latency = factor(Unknown::latency), byte = factor(Unknown::byte);
    made.between = scaled(made.between, latency, byte);
    const double inside_byte = byte * factor(Unknown::inside_byte);
    made.inside = scaled(made.inside, latency * factor(Unknown::inside_latency), inside_byte);
    made.card *= factor(Unknown::card) / byte;
    for (auto& piece : std::get<Protocol>(made.between).one_way.pieces)
        piece.model.beta = std::max(piece.model.beta, 1 / made.card);  // every message passes the card
    made.memory =
        4 * factor(Unknown::memory) / std::get<Protocol>(made.inside).one_way.at(double(is_long)).beta;
    made.gamma *= byte * factor(Unknown::gamma);
    made.copy *= byte;
    return made;
}

/// Residual under Cauchy's loss: about the deviation itself (in units of the scatter) while small, hardly
/// growing when large.
double bounded(double deviation) {
    const double loss = std::sqrt(std::log1p(deviation * deviation));
    return deviation < 0 ? -loss : loss;
}

/// Residuals for Levenberg and Marquardt: for each sample the deviation of the replay, for each unknown its
/// deviation from the expected value.
struct Deviations {
    using Scalar = double;
    using InputType = VectorXd;
    using ValueType = VectorXd;
    using JacobianType = Eigen::MatrixXd;
    enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

    const std::vector<Sample>& samples;
    Bytes is_long;
    double scatter;

    int inputs() const { return Unknown::count; }
    int values() const { return int(samples.size()) + Unknown::count; }

    /// log(replayed / measured).
    std::vector<double> logs(const VectorXd& at) const {
        const Machine machine = machine_of(at, is_long);
        SampleTimes times(machine);
        std::vector<double> made;
        for (const Sample& sample : samples) made.push_back(std::log(*times.sum(sample) / sample.seconds));
        return made;
    }
    int operator()(const VectorXd& at, VectorXd& made) const {
        const std::vector<double> deviations = logs(at);
        for (std::size_t i = 0; i < deviations.size(); ++i) made[Index(i)] = bounded(deviations[i] / scatter);
        for (Index i = 0; i < Unknown::count; ++i)
            made[Index(samples.size()) + i] = at[i] / belief[std::size_t(i)];
        return 0;
    }
};

struct Found {
    Bytes is_long;
    VectorXd logs;
    double deviation;  // the median of |log(replayed / measured)|
};

Found searched(const std::vector<Sample>& samples, Bytes is_long, VectorXd from, double scatter) {
    const Deviations deviations{samples, is_long, scatter};
    constexpr double step = 1e-2;
    Eigen::NumericalDiff<Deviations> slopes(deviations, step * step);
    Eigen::LevenbergMarquardt<Eigen::NumericalDiff<Deviations>> search(slopes);
    search.parameters.ftol = search.parameters.xtol = 1e-4;
    search.parameters.maxfev = 30;
    search.minimize(from);
    std::vector<double> logs = deviations.logs(from);
    for (double& log : logs) log = std::abs(log);
    return {is_long, std::move(from), median(std::move(logs))};
}

/// Samples that the model can price, at most `most_samples` of them, evenly over the list.
std::vector<Sample> counted(std::span<const Sample> samples) {
    const Machine machine = built_in_machine();
    SampleTimes times(machine);
    std::vector<Sample> all;
    for (const Sample& sample : samples)
        if (const auto time = times.sum(sample); time && *time > 0) all.push_back(sample);
    if (all.size() < fewest_samples)
        throw Error("a machine is found from " + std::to_string(fewest_samples) +
                    " measured times of known algorithms or more, not from " + std::to_string(all.size()));
    std::vector<Sample> kept;
    const std::size_t count = std::min(all.size(), most_samples);
    for (std::size_t i = 0; i < count; ++i) kept.push_back(all[i * all.size() / count]);
    return kept;
}

}  // namespace

Parameters fit_samples(std::span<const Sample> samples) {
    const std::vector<Sample> kept = counted(samples);
    // The first search assumes a coarse scatter, the second one uses the scatter of the samples.
    constexpr double some_scatter = 0.2, least_scatter = 0.005;
    std::optional<Found> best;
    for (const Bytes is_long : {Bytes(4) << 10, Bytes(16) << 10, Bytes(64) << 10}) {
        Found found = searched(kept, is_long, VectorXd::Zero(Unknown::count), some_scatter);
        if (!best || found.deviation < best->deviation) best = std::move(found);
    }
    best = searched(kept, best->is_long, best->logs,
                    std::clamp(1.5 * best->deviation, least_scatter, some_scatter));
    return {.machine = machine_of(best->logs, best->is_long),
            .inside_residual = best->deviation,
            .between_residual = best->deviation,
            .residual = best->deviation};
}

}  // namespace echelon
