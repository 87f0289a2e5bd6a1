// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/common/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sgd {

/// Numbers of inputs, hidden units and outputs.
struct Shape {
    std::size_t inputs, hidden, outputs;
    std::size_t weights() const { return hidden * inputs + outputs * hidden; }
    /// Floating point operations of forward and backward pass on one sample.
    double flops() const { return 6.0 * double(weights()); }
};

/// Samples that depend on the seed and their index alone.
class Samples {
public:
    Samples(const Shape& shape, std::uint64_t seed) : shape_(shape), seed_(seed) {}

    void input(std::size_t sample, std::span<float> x) const {
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = float(examples::random_number(seed_, sample * shape_.inputs + i));
    }
    /// The function to learn: each output is a kinked function of two inputs.
    void target(std::span<const float> x, std::span<float> y) const {
        for (std::size_t o = 0; o < y.size(); ++o) {
            const auto one = examples::random_bits(seed_ + 1, 2 * o) % x.size();
            const auto other = examples::random_bits(seed_ + 1, 2 * o + 1) % x.size();
            y[o] = std::max(x[one], 0.0F) - x[other] / 2;
        }
    }

private:
    Shape shape_;
    std::uint64_t seed_;
};

/// Initial weights, equal on all ranks; small enough that no layer magnifies.
inline std::vector<float> first_weights(const Shape& shape, std::uint64_t seed) {
    std::vector<float> weights(shape.weights());
    const std::size_t first_layer = shape.hidden * shape.inputs;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double scale = std::sqrt(1.0 / double(i < first_layer ? shape.inputs : shape.hidden));
        weights[i] = float(scale * examples::random_number(seed + 2, i));
    }
    return weights;
}

/// Two layers without biases, softsign between them, half the squared error as loss. Weights are one vector:
/// hidden x inputs, then outputs x hidden.
class Perceptron {
public:
    explicit Perceptron(const Shape& shape)
        : shape_(shape), hidden_(shape.hidden), back_(shape.hidden), output_(shape.outputs) {}

    /// Returns the loss on one sample; adds its gradient to `gradient` unless that is empty.
    double learn(std::span<const float> weights, std::span<const float> x, std::span<const float> y,
                 std::span<float> gradient) {
        const double loss = learn_last(weights, x, y, gradient, hidden_, back_);
        if (!gradient.empty()) learn_first(0, shape_.hidden, x, hidden_, back_, gradient);
        return loss;
    }
    /// Like learn(), for the last layer's part of the gradient. Keeps the hidden units and their errors.
    double learn_last(std::span<const float> weights, std::span<const float> x, std::span<const float> y,
                      std::span<float> gradient, std::span<float> hidden, std::span<float> back) {
        const float *first = weights.data(), *second = first + shape_.hidden * shape_.inputs;
        for (std::size_t h = 0; h < shape_.hidden; ++h)
            hidden[h] = softsign(product(first + h * shape_.inputs, x.data(), shape_.inputs));
        double loss = 0;
        for (std::size_t o = 0; o < shape_.outputs; ++o) {
            output_[o] = product(second + o * shape_.hidden, hidden.data(), shape_.hidden) - y[o];
            loss += 0.5 * double(output_[o]) * double(output_[o]);
        }
        if (gradient.empty()) return loss;

        float* const second_gradient = gradient.data() + shape_.hidden * shape_.inputs;
        std::fill(back.begin(), back.end(), 0.0F);
        for (std::size_t o = 0; o < shape_.outputs; ++o) {
            add(output_[o], hidden.data(), second_gradient + o * shape_.hidden, shape_.hidden);
            add(output_[o], second + o * shape_.hidden, back.data(), shape_.hidden);
        }
        return loss;
    }
    /// Adds the sample's gradient of the weights of hidden units `begin` to `end` - 1.
    void learn_first(std::size_t begin, std::size_t end, std::span<const float> x,
                     std::span<const float> hidden, std::span<const float> back,
                     std::span<float> gradient) const {
        for (std::size_t h = begin; h < end; ++h)
            add(back[h] * slope(hidden[h]), x.data(), gradient.data() + h * shape_.inputs, shape_.inputs);
    }

private:
    static float softsign(float z) { return z / (1 + std::abs(z)); }
    /// Derivative of softsign at the point where it has this value.
    static float slope(float value) { return (1 - std::abs(value)) * (1 - std::abs(value)); }
    /// Eight sums side by side, for vector units.
    static float product(const float* a, const float* b, std::size_t n) {
        float sums[8] = {};
        std::size_t i = 0;
        for (; i + 8 <= n; i += 8)
            for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += a[i + lane] * b[i + lane];
        for (; i < n; ++i) sums[i % 8] += a[i] * b[i];
        return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
    }
    static void add(float factor, const float* from, float* to, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) to[i] += factor * from[i];
    }

    Shape shape_;
    std::vector<float> hidden_, back_, output_;
};

}  // namespace sgd
