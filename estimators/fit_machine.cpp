// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit_machine.hpp"

#include "core/error.hpp"
#include "estimators/recipe_time.hpp"
#include "estimators/samples.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace echelon {
namespace {

double middle(std::vector<double> values) {
    const auto at = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Nothing without messages at once, short ones and long ones.
std::optional<Fan> fit_fan(std::span<const MessageSample> fans, std::span<const MessageSample> relays,
                           const Network& network) {
    constexpr Bytes short_one = 64;
    std::map<Bytes, Seconds> alone;
    for (const MessageSample& one : fans)
        if (one.peers == 1) alone[one.bytes] = one.time;
    std::vector<double> gaps, per_bytes, sharings;
    const auto further = [&](const MessageSample& one) {
        return (one.time - alone[one.bytes]) / (one.peers - 1);
    };
    const auto counts = [&](const MessageSample& one) { return one.peers > 1 && alone.contains(one.bytes); };
    for (const MessageSample& one : fans)
        if (counts(one) && one.bytes <= short_one) gaps.push_back(further(one));
    if (gaps.empty()) return std::nullopt;
    // No message waits longer than for the whole of another one.
    const Seconds latency = message_time(network, 0);
    Fan made{.gap = std::clamp(middle(gaps), 0.0, latency)};
    for (const MessageSample& one : fans)
        if (counts(one) && one.bytes > short_one)
            per_bytes.push_back((further(one) - made.gap) / double(one.bytes));
    if (per_bytes.empty()) return std::nullopt;
    made.per_byte = std::max(0.0, middle(per_bytes));
    for (const MessageSample& one : relays)
        if (alone.contains(one.bytes) && made.per_byte > 0)
            sharings.push_back((one.time - 2 * alone[one.bytes]) / (made.per_byte * double(one.bytes)));
    if (!sharings.empty()) made.sharing = std::clamp(middle(sharings), 0.0, 1.0);
    return made;
}

/// A piecewise line where there are samples enough, else a line.
struct FittedNetwork {
    Network network;
    double residual = 0;
};

FittedNetwork fit_network(std::span<const MessageSample> samples) {
    const auto fit = fit_piecewise_hockney(samples);
    PiecewiseHockney model = fit.model;
    // Noise can make a short piece fall; no message of more bytes is faster by the model.
    for (auto& piece : model.pieces) {
        piece.model.alpha = std::max(piece.model.alpha, 0.0);
        piece.model.beta = std::max(piece.model.beta, 0.0);
    }
    if (model.pieces.size() == 1) return {model.pieces.front().model, fit.residual};
    return {model, fit.residual};
}

BytesPerSecond rate_of(std::span<const ConcurrentSample> samples) {
    const bool several =
        std::any_of(samples.begin(), samples.end(), [](const auto& s) { return s.pairs > 1; });
    if (!several) return unlimited;
    try {
        return fit_max_rate(samples).model.card;
    } catch (const Error&) {
        return unlimited;  // too much noise to see a limit
    }
}

/// Seconds a byte; nothing where the clock stands still (simulations), or for no samples.
SecondsPerByte per_byte(std::span<const WorkSample> samples) {
    const bool measurable =
        std::any_of(samples.begin(), samples.end(), [](const auto& s) { return s.time > 0; });
    return measurable ? std::max(0.0, fit_work(samples).model.per_byte) : 0;
}

/// Prices recipes on layouts; keeps one pricing a layout.
class Pricing {
public:
    explicit Pricing(const Machine& machine) : machine_(machine) {}

    std::optional<Seconds> operator()(const Sample& sample) {
        auto [found, is_new] = layouts_.try_emplace(sample.layout);
        if (is_new) found->second = layout(sample.layout);
        if (found->second == nullptr || found->second->terrain.p() != sample.p) return std::nullopt;
        return found->second->times(sample.recipe, sample.collective, sample.bytes, {});
    }

private:
    struct Layout {
        Layout(const Machine& machine, const std::string& layout)
            : terrain(placement_of_layout(layout)), times(machine, terrain) {}
        Terrain terrain;
        RecipeTimes times;
    };
    /// Nullptr for words that name no layout: the samples may come from a file.
    std::unique_ptr<Layout> layout(const std::string& words) const {
        try {
            return std::make_unique<Layout>(machine_, words);
        } catch (const Error&) {
            return nullptr;
        }
    }

    const Machine& machine_;
    std::map<std::string, std::unique_ptr<Layout>> layouts_;
};

}  // namespace

Parameters fit_machine(const MachineSamples& samples) {
    if (samples.inside.empty() && samples.between.empty())
        throw Error("no messages were measured: a machine needs samples of some");
    Parameters made;
    const auto own = [](const std::vector<MessageSample>& first, const std::vector<MessageSample>& second) {
        return fit_network(first.empty() ? second : first);
    };
    const FittedNetwork inside = own(samples.inside, samples.between),
                        between = own(samples.between, samples.inside);
    made.machine.inside = inside.network;
    made.inside_residual = inside.residual;
    made.machine.between = between.network;
    made.between_residual = between.residual;
    made.machine.card = rate_of(samples.card);
    made.machine.memory = rate_of(samples.memory);
    made.machine.inside_fan = fit_fan(samples.inside_fan, samples.inside_relay, made.machine.inside);
    made.machine.between_fan = fit_fan(samples.between_fan, samples.between_relay, made.machine.between);
    made.machine.gamma = per_byte(samples.combining);
    made.machine.copy = per_byte(samples.copying);
    return made;
}

void learn_corrections(Profile& profile) {
    profile.corrections.clear();
    if (!profile.parameters) return;
    Pricing predicted(profile.parameters->machine);
    struct Factors {
        std::map<Bytes, std::vector<double>> logs;  // by size
    };
    std::map<std::pair<Collective, std::string>, Factors> families;
    std::vector<double> deviations;
    for (const Sample& sample : profile.samples) {
        if (sample.recipe.kind == Recipe::Kind::native) continue;
        const auto model = predicted(sample);
        if (!model || !(*model > 0)) continue;
        const double log = std::log(sample.seconds / *model);
        families[{sample.collective, family_of(sample.recipe)}].logs[sample.bytes].push_back(log);
        deviations.push_back(std::abs(log));
    }
    for (const auto& [key, factors] : families) {
        Correction made{.collective = key.first, .family = key.second};
        double squares = 0;
        std::size_t count = 0;
        for (const auto& [bytes, logs] : factors.logs) {
            const double log = middle(logs);
            made.points.push_back({bytes, std::exp(log)});
            for (const double one : logs) squares += (one - log) * (one - log);
            count += logs.size();
        }
        made.spread = count == 0 ? 0 : std::sqrt(squares / double(count));
        profile.corrections.push_back(std::move(made));
    }
    constexpr double least = 0.02;
    if (!deviations.empty()) profile.parameters->residual = std::max(least, middle(deviations));
}

}  // namespace echelon
